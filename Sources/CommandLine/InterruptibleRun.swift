internal import Glibc
package import Platform

/// Which task of ``runInterruptibly(by:reload:willStop:_:)`` has ended, and with which exit code.
private enum EndedTask {
    case body(ExitCode)
    case signal(ExitCode)
}

/// Runs `body` until it ends, or until one of `signals` cancels it.
///
/// If there is a `reload`, SIGHUP does not end `body`, but calls `reload`. `willStop` is called once: when a signal has
/// arrived, or when `body` has ended. Without `signals`, `body` alone runs, and `willStop` is not called.
///
/// - Returns: The exit code of `body`; after a signal, that of the signal, as soon as `body` has ended in any way.
/// - Throws: The error of `body`, unless a signal arrived.
package func runInterruptibly(
    by signals: UnixSignals?, reload: (@Sendable () -> Void)? = nil,
    willStop: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable () async throws -> ExitCode
) async throws -> ExitCode {
    guard let signals else { return try await body() }
    return try await withThrowingTaskGroup(of: EndedTask.self) { group in
        group.addTask { .body(try await body()) }
        group.addTask {
            defer { willStop() }
            guard let code = await signals.nextEnd(reload: reload) else {
                // `body` has ended first, and nobody receives this, or the caller was cancelled.
                throw CancellationError()
            }
            return .signal(code)
        }
        guard let first = try await group.next() else { preconditionFailure("no task") }
        group.cancelAll()
        switch first {
        case .body(let code):
            return code
        case .signal(let code):
            // `body` may still print its results so far, and its error does not matter any more.
            _ = try? await group.next()
            return code
        }
    }
}

extension UnixSignals {
    /// Waits for a signal that ends the process; SIGHUP does not if there is a `reload`, which is called instead.
    ///
    /// - Returns: The exit code of the signal; `nil` if the task was cancelled.
    package func nextEnd(reload: (@Sendable () -> Void)? = nil) async -> ExitCode? {
        for await signal in numbers {
            guard signal == SIGHUP, let reload else {
                // As a shell reports it, see bash(1): SIGTERM, 15, becomes 143.
                return ExitCode(rawValue: 128 + signal)
            }
            reload()
        }
        return nil
    }
}
