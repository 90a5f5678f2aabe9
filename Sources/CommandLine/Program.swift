internal import Glibc
package import Platform

/// Runs the command that `prepare` returns, and ends the process with the exit code of the command.
///
/// `prepare` parses the arguments before other threads start. If it or the command fails, `didFail` receives the error, and
/// the error is printed: `apod-mirror: --json and --path cannot be combined; see “apod-mirror help search”`.
package func runProgram<Command: CommandProtocol>(
    _ commands: Command.Type, environment: [String: String],
    _ prepare: () throws -> @Sendable () async throws -> ExitCode,
    didFail: @escaping @Sendable (CommandError) -> Void = { _ in }
) -> Never {
    let prepared = Result { try prepare() }
    runProcess {
        do {
            let command = try prepared.get()
            let code = try await command()
            // If output was lost, as on a full disk, that is an error, even if the command did its work.
            if let failure = StandardStream.output.failure {
                throw CommandError(output: failure)
            }
            return code.rawValue
        } catch {
            let error = CommandError(error)
            didFail(error)
            let hint = error.code == .usage ? "; see “\(Command.helpCommandLine)”" : ""
            Log(environment: environment).error("\(Command.program): \(error.message)\(hint)")
            return error.code.rawValue
        }
    }
}

extension CommandProtocol {
    /// What the user types for the help of the command of this process: `apod-mirror help run`.
    ///
    /// It is `apod-mirror help` if the first argument of this process is no command, or is `help`.
    fileprivate static var helpCommandLine: String {
        let generalHelp = "\(program) \(help.rawValue)"
        guard let word = processArguments().dropFirst().first,
            let command = Self(word: word), command != help
        else { return generalHelp }
        return "\(generalHelp) \(command.rawValue)"
    }
}

// MARK: Signals

/// Which of the two tasks of ``runInterruptibly(by:reload:willStop:_:)`` has ended, with the exit code that it stands for.
private enum EndedTask {
    case body(ExitCode)
    case signal(ExitCode)
}

/// Runs `body` until it ends, or until one of `signals` cancels it.
///
/// If there is a `reload`, SIGHUP does not end `body`, but calls `reload`. `willStop` is called once: when a signal has
/// arrived, or when `body` has ended. Without `signals`, only `body` runs.
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
            guard signal == SIGHUP, let reload else { return ExitCode(rawValue: 128 + signal) }
            reload()
        }
        return nil
    }
}
