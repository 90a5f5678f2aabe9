import CommandLine

/// The first word after `apod-mirror favorites`.
enum FavoritesAction: String, CaseIterable {
    case list, add, remove, restore

    /// The names and the number of its operands, and its options besides `--root`.
    private var syntax: (words: String, operands: ClosedRange<Int>, options: [Option]) {
        switch self {
        case .list: ("", 0...0, [.json])
        case .add: (" DAY|PATH|URL...", 1...Int.max, [.as, .notify])
        case .remove: (" [DAY|NAME...]", 0...Int.max, [.held])
        case .restore: (" [DAY|NAME...]", 0...Int.max, [])
        }
    }

    var operands: ClosedRange<Int> { syntax.operands }
    var options: [Option] { syntax.options }

    var usage: String {
        "favorites \(rawValue)\(syntax.words)\(options.map { " \($0.synopsis)" }.joined())"
    }

    var summary: String {
        switch self {
        case .list: "list favorites, and unrecognized items with reasons"
        case .add: "add days by creating links"
        case .remove: "confirm: remove favorites and their links at once"
        case .restore: "undo: restore the links of held or removed favorites"
        }
    }
}
