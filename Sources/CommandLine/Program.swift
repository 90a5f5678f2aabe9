internal import Platform

/// A program of the project: arguments in, exit code out.
package struct Program: Sendable {
    /// What its messages begin with.
    private let name: String
    private let environment: [String: String]

    package init(_ name: String, environment: [String: String]) {
        self.name = name
        self.environment = environment
    }

    /// Runs one command and ends the process with its exit code.
    ///
    /// - Parameter prepare: Reads the arguments, before other threads run; it returns the command.
    package func run(
        _ prepare: () throws -> @Sendable () async throws -> ExitCode
    ) -> Never {
        let command: @Sendable () async throws -> ExitCode
        do {
            command = try prepare()
        } catch {
            let error = CommandError(error)
            command = { throw error }
        }
        runProcess { await code(of: command) }
    }

    private func code(of command: @Sendable () async throws -> ExitCode) async -> Int32 {
        do {
            let code = try await command()
            if let failure = StandardStream.output.failure { throw failure }
            return code.rawValue
        } catch {
            let error = CommandError(error)
            let help = error.code == .usage ? "; see “\(name) help”" : ""
            Log(environment: environment).error("\(name): \(error.message)\(help)")
            return error.code.rawValue
        }
    }
}
