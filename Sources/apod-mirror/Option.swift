/// An option of the command line, which is also a variable of the environment.
enum Option: String, CaseIterable {
    case root, since, upstream, feed, jobs, pace, videos, once, json, quiet, new
    case minimumFree = "min-free"
    case `as`
    case dryRun = "dry-run"
    case noPicture = "no-picture"
    case notify
    case port, entries, pictures, days, seed

    /// `--min-free`.
    var spelling: String { "--\(rawValue)" }

    /// `APOD_MIRROR_MIN_FREE`, `nil` where an option belongs to one call and not to a machine.
    var variable: String? {
        switch self {
        case .once, .json, .new, .as, .dryRun, .notify, .port, .entries, .pictures, .days, .seed:
            nil
        default:
            "APOD_MIRROR_"
                + rawValue.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
        }
    }

    /// What stands after the option in the help, `nil` for one that takes nothing.
    var placeholder: String? {
        switch self {
        case .once, .json, .quiet, .new, .videos, .dryRun, .noPicture, .notify: nil
        case .as: "NAME"
        case .root, .pictures: "DIR"
        case .since: "30d|DATE|all"
        case .upstream: "URL"
        case .feed: "auto|basic|v1"
        case .jobs, .port, .days, .seed: "N"
        case .pace: "1s"
        case .minimumFree: "1GiB"
        case .entries: "FILE"
        }
    }

    init?(spelling: String) {
        if spelling == "-q" {
            self = .quiet
        } else if spelling.hasPrefix("--") {
            self.init(rawValue: String(spelling.dropFirst(2)))
        } else {
            return nil
        }
    }
}
