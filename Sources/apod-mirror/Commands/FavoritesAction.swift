import CommandLine

/// What is to be done with the favorites: the first word after `apod-mirror favorites`.
enum FavoritesAction: String, CaseIterable {
    case list, add, remove, restore, forget, export, `import`

    /// How many words may follow.
    var operands: ClosedRange<Int> {
        switch self {
        case .list, .export: 0...0
        case .add: 1...Int.max
        case .remove, .import: 1...1
        case .forget, .restore: 0...64
        }
    }

    /// The options that mean something for it; `--root` always does.
    var options: [Option] {
        switch self {
        case .list, .export: [.json]
        case .restore: [.dryRun]
        case .add: [.as, .notify]
        case .remove, .forget, .import: []
        }
    }

    /// How it is used.
    var usage: String {
        let words =
            switch self {
            case .list, .export: ""
            case .add: " DAY|PATH|URL..."
            case .remove: " DAY|NAME"
            case .forget: " [DAY...]"
            case .restore: " [DAY|NAME...]"
            case .import: " FILE|-"
            }
        let options = options.map { option in
            " [\(option.spelling)\(option.placeholder.map { " \($0)" } ?? "")]"
        }
        return "favorites \(rawValue)\(words)\(options.joined())"
    }

    /// What it does, in half a sentence.
    var summary: String {
        switch self {
        case .list: "favorites, and unrecognized items with the reason"
        case .add: "make links, as a file manager would"
        case .remove: "remove the links of one, and with them the favorite"
        case .restore: "put back the links of those that are held or were removed"
        case .forget: "let go of those that are held"
        case .export: "dates, a line each"
        case .import: "take over what export wrote"
        }
    }
}
