/// What apod-mirror can be told to do.
enum Verb: String, CaseIterable {
    case run, status, favorites, show, search, doctor, demo, simulate, help, version

    init?(word: String) {
        switch word {
        case "-h", "--help": self = .help
        case "--version": self = .version
        default: self.init(rawValue: word)
        }
    }

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
        case .simulate: [.port, .days, .seed, .entries, .pictures]
        case .demo, .help, .version: []
        }
    }

    /// Whether it works until it is told to stop, or has something to clean up when it is.
    var isLong: Bool { [.run, .doctor, .demo, .simulate].contains(self) }

    /// How many words may follow.
    var operands: ClosedRange<Int> {
        switch self {
        case .run, .status, .doctor, .version, .simulate: 0...0
        case .show: 1...1
        case .favorites: 1...Int.max
        case .search: 1...64
        case .demo, .help: 0...1
        }
    }

    /// The words that may follow, as the help writes them.
    var words: [String] {
        switch self {
        case .favorites:
            [FavoritesAction.allCases.map(\.rawValue).joined(separator: "|"), "[WORD...]"]
        case .show: ["DAY|latest|random"]
        case .search: ["WORD..."]
        case .demo: ["[DIR]"]
        case .help: ["[COMMAND]"]
        case .run, .status, .doctor, .simulate, .version: []
        }
    }

    /// How it is used, all options named.
    var usage: String {
        let options = options.map { option in
            "[\(option.spelling)\(option.placeholder.map { " \($0)" } ?? "")]"
        }
        return (["apod-mirror", rawValue] + options + words).joined(separator: " ")
    }
}
