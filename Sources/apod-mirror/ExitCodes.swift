package import CommandLine
package import Mirror
import Platform

// The exit codes of what Mirror reports; those of other errors are in CommandError.

extension Obstacle {
    var exitCode: ExitCode {
        switch kind {
        case .network: .unreachable
        case .space: .noSpace
        // It includes a disk that is not writable.
        case .disk, .rights: .noMirror
        case .clock: .failure
        }
    }
}

extension SyncSummary {
    /// The exit code of a command that syncs once: that of the obstacle, else whether anything failed or days are missing.
    var exitCode: ExitCode {
        obstacle?.exitCode ?? (failure != nil ? .failure : missing > 0 ? .missing : .done)
    }

    /// Why days are missing after the sync, or what failed, and what to do; `nil` if nothing is.
    var message: String? {
        if let obstacle {
            return obstacle.kind == .network
                ? "cannot get NASA's list: \(obstacle.text)" : obstacle.text
        }
        if let failure { return failure }
        guard missing > 0 else { return nil }
        let verb = missing == 1 ? "is" : "are"
        return "\(missing) of \(counted(expected, "day")) \(verb) missing;"
            + " “apod-mirror status” lists the reasons"
    }
}

extension TreeError: ErrorWithExitCode {
    package var exitCode: ExitCode {
        switch self {
        case .notADirectory, .notAMirror, .notEmpty, .withoutHiddenFiles, .unmounted, .otherFormat,
            .damagedMarker, .missingMarker:
            .noMirror
        case .locked: .inUse
        // systemd starts it again, and it opens what is there.
        case .replaced: .failure
        case .notWritable(let error), .system(let error):
            error.isNoSpace
                ? .noSpace : [.denied, .invalid].contains(error.cause) ? .noMirror : .failure
        }
    }
}
