internal import Glibc
package import Platform

/// Runs a program: carries out its command, prints an error, and ends the process with the exit code.
///
/// `prepare` parses the arguments before other threads start, and returns what the command does. `didFail` receives
/// the error that ends the command.
package func runProgram<Command: CommandProtocol>(
    _ commands: Command.Type, environment: [String: String],
    _ prepare: () throws -> @Sendable () async throws -> ExitCode,
    didFail: @escaping @Sendable (CommandError) -> Void = { _ in }
) -> Never {
    // The closure below prints an error in the arguments, too.
    let command = Result { try prepare() }
    runProcess {
        do {
            let code = try await command.get()()
            if let failure = StandardStream.output.failure {
                throw CommandError(output: failure)
            }
            return code.rawValue
        } catch {
            let error = CommandError(error)
            didFail(error)
            let help = error.code == .usage ? "; see “\(Command.helpCommandLine)”" : ""
            Log(environment: environment).error("\(Command.program): \(error.message)\(help)")
            return error.code.rawValue
        }
    }
}

extension CommandProtocol {
    /// What prints the help for the command of this process: `apod-mirror help run`.
    fileprivate static var helpCommandLine: String {
        let general = "\(program) \(help.rawValue)"
        guard let word = processArguments().dropFirst().first,
            let command = Self(word: word), command != help
        else { return general }
        return "\(general) \(command.rawValue)"
    }
}

// MARK: Signals

/// Runs `body` until it ends, or until one of `signals` cancels it.
///
/// `reload` is called for SIGHUP, which then does not end `body`. `willStop` is called when a signal has arrived, and
/// when `body` has ended.
///
/// - Returns: The exit code of `body`. After a signal, the exit code of the signal, once `body` has ended in any way.
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
        // `body` may still print its results so far.
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
