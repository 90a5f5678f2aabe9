import CommandLine

/// The first word after `apod-mirror favorites`.
enum FavoritesAction: String, CaseIterable {
    case list, add, remove, restore, forget, export, `import`

    var operands: ClosedRange<Int> {
        switch self {
        case .list, .export: 0...0
        case .add: 1...Int.max
        case .remove, .import: 1...1
        case .forget, .restore: 0...Int.max
        }
    }

    /// Its options, besides `--root`.
    var options: [Option] {
        switch self {
        case .list, .export: [.json]
        case .restore: [.dryRun]
        case .add: [.as, .notify]
        case .remove, .forget, .import: []
        }
    }

    var usage: String {
        let words =
            switch self {
            case .list, .export: ""
            case .add: " DAY|PATH|URL..."
            case .remove: " DAY|NAME"
            case .forget: " [DAY|NAME...]"
            case .restore: " [DAY|NAME...]"
            case .import: " FILE|-"
            }
        return "favorites \(rawValue)\(words)\(options.map { " \($0.synopsis)" }.joined())"
    }

    var summary: String {
        switch self {
        case .list: "list favorites, and unrecognized items with reasons"
        case .add: "add days by creating links"
        case .remove: "remove a favorite and its links"
        case .restore: "restore the links of held or removed favorites"
        case .forget: "drop favorites whose links are gone"
        case .export: "print the dates, one per line"
        case .import: "add the days that export printed"
        }
    }
}
