internal import Glibc
package import Platform

/// Runs `body` until it ends, or until one of `signals` arrives, which cancels it; without signals, just runs it.
///
/// `reload` is called for SIGHUP, which then does not end `body`. `willStop` is called when a signal has arrived, and
/// when `body` has ended.
///
/// - Returns: The exit code of `body`; after a signal that of the signal, when `body` has ended, whatever its outcome.
/// - Throws: The error of `body`, unless a signal arrived.
package func runInterruptibly(
    by signals: UnixSignals?, reload: (@Sendable () -> Void)? = nil,
    willStop: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable () async throws -> ExitCode
) async throws -> ExitCode {
    guard let signals else { return try await body() }
    return try await withThrowingTaskGroup(of: (code: ExitCode, isOfSignal: Bool).self) { group in
        group.addTask { (try await body(), isOfSignal: false) }
        group.addTask {
            defer { willStop() }
            guard let code = await signals.nextEnd(reload: reload) else {
                throw CancellationError()
            }
            return (code, isOfSignal: true)
        }
        guard let first = try await group.next() else { preconditionFailure("no task") }
        group.cancelAll()
        // What `body` does at its end, such as to print its results so far, still belongs to it.
        if first.isOfSignal { _ = try? await group.next() }
        return first.code
    }
}

extension UnixSignals {
    /// Waits for a signal that ends the process; `reload` handles SIGHUP, which then does not.
    ///
    /// - Returns: The exit code of the signal; `nil` if the task was cancelled.
    package func nextEnd(reload: (@Sendable () -> Void)? = nil) async -> ExitCode? {
        for await signal in numbers {
            guard signal == SIGHUP, let reload else { return ExitCode(rawValue: 128 + signal) }
            reload()
        }
        return nil
    }
}
