import CommandLine

/// The options of apod-mirror.
enum Option: String, OptionProtocol {
    case root, since, upstream, feed, jobs, pace
    case minimumFree = "min-free"
    case videos, thumbnails
    case metricsFile = "metrics-file"
    case quiet
    case logLevel = "log-level"
    case once, new, json, metrics, missing, offline
    case `as`
    case dryRun = "dry-run"
    case noPicture = "no-picture"
    case notify

    static let variablePrefix = "APOD_MIRROR_"
    static let otherVariables = [APIKey.variable]

    var shortSpelling: String? { self == .quiet ? "-q" : nil }
}

/// What the help says of an option.
extension Option {
    var placeholder: String? {
        switch self {
        case .once, .json, .quiet, .new, .videos, .dryRun, .metrics, .missing, .offline, .noPicture,
            .notify:
            nil
        case .as: "NAME"
        case .root: "DIR"
        case .since: "30d|DATE|all"
        case .upstream: "URL"
        case .feed: "auto|basic|v1"
        case .logLevel: "LEVEL"
        case .jobs: "N"
        case .pace: "1s"
        case .minimumFree: "1GiB"
        case .thumbnails: "yes|no"
        case .metricsFile: "FILE"
        }
    }

    var defaultValue: String? {
        switch self {
        case .root:
            "the mirror around the current directory, else ~/Pictures/APOD, else the service's"
        case .since: "30d"
        case .upstream: "NASA's"
        case .feed: "auto"
        case .logLevel: "info"
        case .jobs: "4"
        case .pace: "1s"
        case .minimumFree: "1GiB"
        case .thumbnails: "yes"
        case .as: "the name of the picture"
        case .once, .json, .quiet, .new, .videos, .dryRun, .metrics, .missing, .offline, .noPicture,
            .notify, .metricsFile:
            nil
        }
    }

    var summary: String {
        switch self {
        case .root: "where the mirror is"
        case .since: "how far back: days from NASA's newest, a date, or to 1995-06-16"
        case .upstream: "the feed"
        case .feed: "the shape of the feed; auto tells by what comes back"
        case .jobs: "pictures under way at once, 1 to 64"
        case .pace: "time between two requests for lists"
        case .minimumFree: "room on the disk that is never used"
        case .videos: "keep the videos that NASA hosts, too"
        case .thumbnails: "make a small picture of each day"
        case .metricsFile: "write figures for Prometheus there after each look"
        case .quiet: "only errors"
        case .logLevel: "the least that is said: error, warning, notice, info or debug"
        case .once: "stop when all is here that can be had"
        case .new: "start a new mirror where the disk of one is away"
        case .json: "for programs"
        case .metrics: "in the text format of Prometheus"
        case .missing: "list all days that are missing or have no picture"
        case .offline: "do not ask NASA"
        case .as: "what the link of a favorite is to be called"
        case .dryRun: "only tell what would be done"
        case .noPicture: "draw no picture"
        case .notify: "tell what was added by a notice on the desktop, too"
        }
    }
}
