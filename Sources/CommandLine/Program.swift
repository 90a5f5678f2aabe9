package import Platform

/// Runs one of the `commands` of a program, and ends the process with its exit code; prints errors.
///
/// `prepare` parses the arguments before other threads start, and returns what the command does.
package func runProgram<Command: CommandProtocol>(
    _ commands: Command.Type, environment: [String: String],
    _ prepare: () throws -> @Sendable () async throws -> ExitCode
) -> Never {
    let command: @Sendable () async throws -> ExitCode
    do {
        command = try prepare()
    } catch {
        let error = CommandError(error)
        command = { throw error }
    }
    runProcess {
        do {
            let code = try await command()
            if let failure = StandardStream.output.failure {
                throw CommandError(output: failure)
            }
            return code.rawValue
        } catch {
            let error = CommandError(error)
            let help =
                error.code == .usage
                ? "; see “\(Command.commandForHelp(on: processArguments()))”" : ""
            Log(environment: environment).error("\(Command.program): \(error.message)\(help)")
            return error.code.rawValue
        }
    }
}

extension CommandProtocol {
    /// The command line that prints the help for `arguments`, those of the process: `apod-mirror help run`.
    fileprivate static func commandForHelp(on arguments: [[UInt8]]) -> String {
        let word = arguments.dropFirst().first.map { String(decoding: $0, as: UTF8.self) }
        let command = word.flatMap(Self.init(word:)).flatMap { $0 == help ? nil : $0.rawValue }
        return ([program, help.rawValue] + [command].compactMap(\.self)).joined(separator: " ")
    }
}

extension UnixSignals {
    /// Waits for a signal that ends the process.
    ///
    /// - Parameter hangUp: Handles SIGHUP; if it is `nil`, SIGHUP ends the process.
    /// - Returns: The exit code of the signal; `nil` if the task was cancelled.
    package func wait(_ hangUp: (() -> Void)? = nil) async -> ExitCode? {
        let sighup: Int32 = 1
        for await signal in numbers {
            guard signal == sighup, let hangUp else { return ExitCode(rawValue: 128 + signal) }
            hangUp()
        }
        return nil
    }
}

/// Runs `body` until it returns, or until one of `signals` arrives, which cancels it.
///
/// - Throws: ``CommandError`` with `interrupted` and the exit code of the signal, or what `body` throws.
package func runInterruptibly(
    by signals: UnixSignals?, _ interrupted: String,
    _ body: @escaping @Sendable () async throws -> ExitCode
) async throws -> ExitCode {
    try await withThrowingTaskGroup(of: ExitCode.self) { group in
        group.addTask { try await body() }
        group.addTask { throw CommandError(interrupted, await signals?.wait() ?? .failure) }
        defer { group.cancelAll() }
        return try await group.next() ?? .failure
    }
}
