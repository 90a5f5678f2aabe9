package import CommandLine
package import Favorites
package import Mirror
import Platform
import Service

// The exit codes for what the modules Mirror and Favorites report. `CommandError` has the exit codes of other errors.

extension Obstacle {
    var exitCode: ExitCode {
        switch kind {
        case .network: .unreachable
        case .space: .noSpace
        // This code stands for a mirror that is not there, and for one that cannot be written.
        case .disk, .rights: .noMirror
        case .clock: .failure
        }
    }
}

extension SyncSummary {
    /// The exit code of a command that syncs once.
    var exitCode: ExitCode {
        if let obstacle { return obstacle.exitCode }
        if failure != nil { return .failure }
        return missing > 0 ? .missing : .done
    }
}

extension WriteFailure {
    var exitCode: ExitCode { error.map { CommandError($0).code } ?? .failure }
}

extension FavoriteError: ErrorWithExitCode {
    package var exitCode: ExitCode {
        switch self {
        // `show` and `verify` have the same code for a word that is no day.
        case .notADay: .usage
        case .refused, .notRestorable, .hasLink, .nameTaken, .notADirectory: .failure
        }
    }
}

extension TreeError: ErrorWithExitCode {
    package var exitCode: ExitCode {
        switch self {
        // After this code, systemd does not start the daemon again: it would make a new mirror in place of one that is gone.
        case .notADirectory, .notAMirror, .notEmpty, .withoutHiddenFiles, .unmounted, .otherFormat,
            .damagedMarker, .missingMarker, .gone:
            .noMirror
        case .locked: .inUse
        // systemd starts the daemon again, which then opens what is there.
        case .replaced: .failure
        case .notWritable(let error), .system(let error):
            if error.isNoSpace {
                .noSpace
            } else {
                [.denied, .invalid].contains(error.cause) ? .noMirror : .failure
            }
        }
    }
}
