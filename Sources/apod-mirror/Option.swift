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
