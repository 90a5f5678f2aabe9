internal import Glibc

/// Makes a system call, and makes it again if a signal interrupts it.
///
/// `body` makes the call and returns its result: -1 if it failed, with the reason in `errno`.
///
/// - Returns: The result of the call, never -1.
/// - Throws: ``SystemError`` that names `call` and `path`.
@discardableResult
package func retryingInterrupts<Result: SignedInteger>(
    _ call: String, path: @autoclosure () -> String, _ body: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = body()
        guard result == -1 else { return result }
        let code = errno
        guard code == EINTR else { throw SystemError(call, path: path(), code: code) }
    }
}
