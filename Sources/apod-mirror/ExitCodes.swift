package import CommandLine
package import Mirror
import Platform

extension SyncSummary {
    /// The exit code of a command that syncs once: that of the obstacle, else whether days are missing.
    var exitCode: ExitCode {
        switch obstacle?.kind {
        case .noSpace: .noSpace
        case .unreachable: .unreachable
        // Exit code 4 includes a disk that is not writable.
        case .readOnly: .noMirror
        case .unusable, .localError, .oneDay: .failure
        case nil: missing > 0 ? .missing : .done
        }
    }

    /// Why days are missing after the sync, and what to do; `nil` if none is.
    var message: String? {
        guard let obstacle else {
            guard missing > 0 else { return nil }
            let verb = missing == 1 ? "is" : "are"
            return "\(missing) of \(counted(expected, "day")) \(verb) missing;"
                + " “apod-mirror status” lists the reasons"
        }
        let text = obstacle.text
        return switch obstacle.kind {
        case .noSpace: "\(text); free disk space, or lower --min-free"
        case .unreachable:
            "cannot get NASA's list: \(text); check the network and --upstream, then run the command again"
        case .unusable:
            "the response is not a list of entries: \(text); check --upstream and --feed"
        case .readOnly: "\(text); remount it writable, then run the command again"
        // The error concerns the whole sync, or one day whose file could not be written.
        case .localError, .oneDay:
            "\(text); check the disk and the limits (ulimit -a), then run the command again"
        }
    }
}

extension TreeError: ErrorWithExitCode {
    package var exitCode: ExitCode {
        switch self {
        case .notADirectory, .notAMirror, .notEmpty, .withoutHiddenFiles, .unmounted, .otherFormat,
            .damagedMarker,
            .missingMarker:
            .noMirror
        case .locked: .inUse
        // systemd starts it again, and it opens what is there.
        case .replaced: .failure
        case .notWritable(let error), .system(let error):
            error.isNoSpace
                ? .noSpace : error.isNotWritable || error.isNotRegularFile ? .noMirror : .failure
        }
    }
}
