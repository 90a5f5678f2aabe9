/// What apod-mirror can be told to do.
enum Verb: String, CaseIterable {
    case run, status, favorites, show, search, demo, simulate, help, version

    init?(word: String) {
        switch word {
        case "-h", "--help": self = .help
        case "--version": self = .version
        default: self.init(rawValue: word)
        }
    }

    static func suggestion(for word: String) -> String {
        apod_mirror.suggestion(for: word, among: allCases.map(\.rawValue))
    }

    var options: [Option] {
        let fetching: [Option] = [
            .root, .since, .upstream, .feed, .jobs, .pace, .minimumFree, .videos, .quiet,
        ]
        return switch self {
        case .run: [.once, .new] + fetching
        case .status, .search: [.root, .json]
        case .show: [.root, .json, .noPicture]
        case .favorites: [.root, .json, .as, .dryRun, .notify]
        case .simulate: [.port, .days, .seed, .entries, .pictures]
        case .demo, .help, .version: []
        }
    }

    /// Whether it works until it is told to stop, by a signal for instance.
    var isLong: Bool { [.run, .demo, .simulate].contains(self) }

    /// How many words may follow.
    var operands: ClosedRange<Int> {
        switch self {
        case .run, .status, .version, .simulate: 0...0
        case .show: 1...1
        case .favorites: 1...Int.max
        case .search: 1...64
        case .demo, .help: 0...1
        }
    }

    var usage: String {
        let options = options.map { option in
            "[\(option.spelling)\(option.placeholder.map { " \($0)" } ?? "")]"
        }
        let words =
            switch self {
            case .favorites: ["list|add|remove|restore|forget|export|import", "[WORD...]"]
            case .show: ["DAY|latest|random"]
            case .search: ["WORD..."]
            case .demo: ["[DIR]"]
            case .help: ["[COMMAND]"]
            default: [String]()
            }
        return (["apod-mirror", rawValue] + options + words).joined(separator: " ")
    }

    /// What it does, in a sentence.
    var summary: String {
        switch self {
        case .run:
            "mirror, and go on mirroring; --once: until all is here that can be had, then exit"
        case .status: "what is here, what is missing and why, and how old the newest day is"
        case .favorites: "list, add, remove, restore, forget, export or import favorites"
        case .show: "one day, readable, with its picture where the terminal and a tool can draw it"
        case .search: "the days whose title, explanation or credit has all the words"
        case .demo: "the whole thing in a minute, without the network, in DIR or a new directory"
        case .simulate: "a NASA on this machine, to try things out with"
        case .help: "this text, or that of one command"
        case .version: "the version"
        }
    }
}
