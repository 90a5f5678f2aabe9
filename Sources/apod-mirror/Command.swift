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

/// What the help says of a command.
extension Command {
    static let purpose =
        "apod-mirror keeps your own mirror of NASA's Astronomy Picture of the Day as plain files."

    static let notes = """
        “apod-mirror COMMAND --help” lists its options and examples. Each option is also an environment \
        variable: --min-free 2GiB, --min-free=2GiB and APOD_MIRROR_MIN_FREE=2GiB are the same, a switch \
        such as APOD_MIRROR_VIDEOS is “yes” or “no”. Options override variables; a misspelled variable \
        is an error. APOD_MIRROR_API_KEY is for feeds of the v1 shape that want a key.
        """

    var summary: String {
        switch self {
        case .run:
            "sync and watch; --once: sync once and exit"
        case .status: "print the newest day and its age, missing days and why, favorites, errors"
        case .favorites: "list, add, remove, restore, forget, export or import favorites"
        case .show: "print one day, with its picture where the terminal and a tool can draw it"
        case .search: "list days with all the words in title, explanation or credit, titles first"
        case .doctor: "check whether this machine, its disk and its network are fit for a mirror"
        case .help: "print this text, or that of one command"
        case .version: "print the version"
        }
    }

    var details: (title: String, rows: [(String, String)])? {
        self == .favorites
            ? ("Actions", FavoritesAction.allCases.map { ($0.usage, $0.summary) }) : nil
    }

    var examples: [(command: String, effect: String)] {
        switch self {
        case .run:
            [
                ("apod-mirror run --once --since 7d", "a week, and back to the shell"),
                ("apod-mirror run --since all --videos", "everything, for years"),
                ("APOD_MIRROR_SINCE=all apod-mirror run", "the same as --since all"),
            ]
        case .status:
            [
                ("apod-mirror status", "in words"),
                ("apod-mirror status --json | jq .newest", "for a script"),
                ("apod-mirror status > /dev/null || echo look at me", "by its exit code alone"),
            ]
        case .favorites:
            [
                ("apod-mirror favorites list", "favorites, and unrecognized items with the reason"),
                ("apod-mirror favorites add 2026-11-20 --as \"the Crab\"", "as a link would"),
                ("apod-mirror favorites add -- *.jpg", "in the mirror that each file lies in"),
                ("apod-mirror favorites export > days.txt", "a date a line, for import"),
            ]
        case .show:
            [
                ("apod-mirror show latest", "the newest day"),
                ("apod-mirror show 1996-06-03 --json", "its record"),
            ]
        case .search: [("apod-mirror search crab nebula", "both words, in any order")]
        case .doctor:
            [
                ("apod-mirror doctor", "before the first run, and when something is odd"),
                ("apod-mirror doctor --offline --json", "this machine alone, for a program"),
            ]
        case .help: [("apod-mirror help run", "the same as apod-mirror run --help")]
        case .version: []
        }
    }

    var exitCodes: [ExitCode] {
        switch self {
        case .run:
            [
                .done, .failure, .usage, .missing, .noMirror, .inUse, .noSpace, .unreachable,
                .hungUp,
                .interrupted, .terminated,
            ]
        case .status: [.done, .failure, .usage, .missing, .noMirror, .stale]
        case .favorites: [.done, .failure, .usage, .noMirror, .noSpace]
        case .show: [.done, .failure, .usage, .missing, .noMirror]
        case .search: [.done, .failure, .usage, .noMirror]
        case .doctor: [.done, .failure, .usage, .hungUp, .interrupted, .terminated]
        case .help, .version: [.done, .usage]
        }
    }

    func meaning(of code: ExitCode) -> String {
        switch (self, code) {
        case (.doctor, .done): "no problem was found"
        case (.doctor, .failure): "a problem was found"
        case (.run, .missing): "some days or thumbnails are missing (--once only)"
        case (.run, .hungUp), (.run, .interrupted), (.run, .terminated):
            code.meaning + " (--once only)"
        case (.show, .missing): "the day is not in the mirror"
        default: code.meaning
        }
    }
}
