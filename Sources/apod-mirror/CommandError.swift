import Mirror
import Platform

/// What ends a command: a sentence for a person and a code for a script.
struct CommandError: Error {
    let message: String
    let code: ExitCode

    init(_ message: String, _ code: ExitCode = .failure) {
        self.message = message
        self.code = code
    }

    static func usage(_ message: String) -> CommandError {
        CommandError("\(message); see “apod-mirror help”", .usage)
    }

    /// The same for anything thrown.
    init(_ error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as TreeError: self.init("\(error)", error.exitCode)
        case let error as SystemError where error.isNoSpace:
            self.init("\(error): make room, or lower --min-free", .noSpace)
        case let error as SystemError where error.isReadOnly:
            self.init("\(error): remount it for writing", .noMirror)
        default: self.init("\(error)")
        }
    }
}

extension TreeError {
    fileprivate var exitCode: ExitCode {
        switch self {
        case .notADirectory, .notAMirror, .foreign, .away, .newerFormat, .damagedMarker: .noMirror
        case .locked: .inUse
        case .notWritable(let error), .system(let error):
            error.isNoSpace ? .noSpace : error.isRefusal || error.isNoFile ? .noMirror : .failure
        }
    }
}
