package import CommandLine
package import Mirror
import Platform

extension TreeError: ErrorWithExitCode {
    package var exitCode: ExitCode {
        switch self {
        case .notADirectory, .notAMirror, .notEmpty, .unmounted, .otherFormat, .damagedMarker,
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
