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
    return try await withThrowingTaskGroup(of: (code: ExitCode?, isSignal: Bool).self) { group in
        group.addTask { (try await body(), isSignal: false) }
        group.addTask {
            defer { willStop() }
            return (await signals.wait(reload: reload), isSignal: true)
        }
        guard let first = try await group.next(), let code = first.code else {
            throw CancellationError()
        }
        group.cancelAll()
        guard first.isSignal else { return code }
        // What `body` does at its end, such as to print its results so far, still belongs to it.
        _ = try? await group.next()
        return code
    }
}

extension UnixSignals {
    /// Waits for a signal that ends the process; `reload` handles SIGHUP, which then does not.
    ///
    /// - Returns: The exit code of the signal; `nil` if the task was cancelled.
    package func wait(reload: (@Sendable () -> Void)? = nil) async -> ExitCode? {
        for await signal in numbers {
            guard signal == SIGHUP, let reload else { return ExitCode(rawValue: 128 + signal) }
            reload()
        }
        return nil
    }
}
