/// An option of the command line, which is also a variable of the environment.
enum Option: String, CaseIterable {
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
    case port, days, seed, entries, pictures

    /// `--min-free`.
    var spelling: String { "--\(rawValue)" }

    /// All ways to write it, the short one first.
    var spellings: [String] { (self == .quiet ? ["-q"] : []) + [spelling] }

    /// `APOD_MIRROR_MIN_FREE`.
    var variable: String {
        Self.variablePrefix + rawValue.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// What all variables of apod-mirror begin with.
    static let variablePrefix = "APOD_MIRROR_"

    init?(spelling: String) {
        guard let option = Self.allCases.first(where: { $0.spellings.contains(spelling) }) else {
            return nil
        }
        self = option
    }
}
