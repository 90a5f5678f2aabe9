import CommandLine

/// The commands of apod-mirror.
enum Command: String, CommandProtocol {
    case run, status, favorites, show, search, doctor, help, version

    static let program = "apod-mirror"

    var options: [Option] {
        let fetching: [Option] = [
            .root, .since, .upstream, .feed, .jobs, .pace, .minimumFree, .videos, .thumbnails,
            .metricsFile, .quiet, .logLevel,
        ]
        return switch self {
        case .run: [.once, .new] + fetching
        case .status: [.root, .json, .metrics, .missing]
        case .show: [.root, .json, .noPicture]
        case .search: [.root, .json]
        case .favorites: [.root, .json, .as, .dryRun, .notify]
        case .doctor: [.root, .upstream, .feed, .minimumFree, .offline, .json]
        case .help, .version: []
        }
    }

    /// Whether it handles the signals that end it.
    var isLong: Bool { [.run, .doctor].contains(self) }

    var operands: ClosedRange<Int> {
        switch self {
        case .run, .status, .doctor, .version: 0...0
        case .show: 1...1
        case .favorites: 1...Int.max
        case .search: 1...64
        case .help: 0...1
        }
    }

    var words: [String] {
        switch self {
        case .favorites:
            [FavoritesAction.allCases.map(\.rawValue).joined(separator: "|"), "[WORD...]"]
        case .show: ["DAY|latest|random"]
        case .search: ["WORD..."]
        case .help: ["[COMMAND]"]
        case .run, .status, .doctor, .version: []
        }
    }
}
