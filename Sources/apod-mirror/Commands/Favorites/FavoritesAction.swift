import CommandLine

/// The first word after `apod-mirror favorites`.
enum FavoritesAction: String, CaseIterable {
    case list, add, remove, restore

    /// The words that may follow the action.
    var operands: OperandSyntax {
        switch self {
        case .list: .none
        case .add: OperandSyntax("DAY|PATH|URL...")
        case .remove, .restore: OperandSyntax("[DAY|NAME...]")
        }
    }

    /// The options that the action has besides `--root`.
    var options: [Option] {
        switch self {
        case .list: [.json]
        case .add: [.as, .notify]
        case .remove: [.held]
        case .restore: []
        }
    }

    /// The action as a person types it: `favorites remove [DAY|NAME...] [--held]`.
    var usage: String {
        (["favorites", rawValue] + operands.words + options.map(\.synopsis)).joined(separator: " ")
    }

    /// What the action does, for the help.
    var summary: String {
        switch self {
        case .list: "list favorites, and unrecognized items with reasons"
        case .add: "add days"
        case .remove: "confirm: remove favorites and their links at once"
        case .restore: "undo: restore held or removed favorites"
        }
    }
}
