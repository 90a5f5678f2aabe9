internal import Platform

/// The error that ends a command: a message for people and an exit code for scripts.
///
/// ``runProgram(_:environment:_:didFail:)`` converts other errors, prints the message, and exits with the code.
package struct CommandError: Error {
    package let message: String
    package let code: ExitCode

    package init(_ message: String, _ code: ExitCode = .failure) {
        self.message = message
        self.code = code
    }

    /// A wrong command line; the printed message refers to the help.
    package static func usage(_ message: String) -> CommandError { CommandError(message, .usage) }

    /// Converts any `error`; that of a system call gets advice: `…: No space left on device; free disk space, …`.
    package init(_ error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as any ErrorWithExitCode: self.init("\(error)", error.exitCode)
        case let error as SystemError where error.isNoSpace:
            self.init(error.advice, .noSpace)
        case let error as SystemError where error.isReadOnly:
            self.init("\(error); remount it writable", .noMirror)
        case let error as SystemError: self.init(error.advice)
        default: self.init("\(error)")
        }
    }
}

/// An error with an exit code of its own.
package protocol ErrorWithExitCode: Error {
    var exitCode: ExitCode { get }
}
