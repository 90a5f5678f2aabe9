internal import Platform

/// What ends a command: a sentence for a person and a code for a script.
package struct CommandError: Error {
    package let message: String
    package let code: ExitCode

    package init(_ message: String, _ code: ExitCode = .failure) {
        self.message = message
        self.code = code
    }

    /// A mistake on the command line; the sentence ends with a pointer to the help.
    package static func usage(_ message: String) -> CommandError { CommandError(message, .usage) }

    /// The same for anything thrown.
    package init(_ error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as any ErrorWithExitCode: self.init("\(error)", error.exitCode)
        case let error as SystemError where error.isNoSpace:
            self.init("\(error); free disk space, or lower --min-free", .noSpace)
        case let error as SystemError where error.isReadOnly:
            self.init("\(error); remount it writable", .noMirror)
        default: self.init("\(error)")
        }
    }
}

/// An error of a module below that ends the process with a code of its own.
package protocol ErrorWithExitCode: Error {
    var exitCode: ExitCode { get }
}
