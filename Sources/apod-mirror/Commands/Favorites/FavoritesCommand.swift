import APOD
import CommandLine
import Favorites
import JSON
import Platform

/// `apod-mirror favorites list|add|remove|restore`: see ``FavoriteCommands``.
struct FavoritesCommand {
    private let action: FavoritesAction
    private let words: [String]
    /// The name of the new link; `nil` for the name of the picture.
    private let name: String?
    private let isJSON: Bool
    private let removesHeld: Bool
    private let arguments: Arguments

    init(_ arguments: Arguments) throws {
        let words = arguments.operands
        let word = words.first ?? FavoritesAction.list.rawValue
        guard let action = FavoritesAction(rawValue: word) else {
            let near = suggestion(for: word, among: FavoritesAction.allCases.map(\.rawValue))
            throw CommandError.usage("unknown action “\(word)” of favorites\(near)")
        }
        self.action = action
        self.words = Array(words.dropFirst())
        name = try arguments.value(.as, "a name") { $0.isEmpty ? nil : $0 }
        isJSON = try arguments.isOn(.json)
        removesHeld = try arguments.isOn(.held)
        self.arguments = arguments
        try checkArguments()
    }

    /// Checks that the action has these options, and this number of operands.
    private func checkArguments() throws(CommandError) {
        let unsupported = Command.favorites.options.first { option in
            arguments.isTyped(option) && !option.isSetting && !action.options.contains(option)
        }
        if let unsupported {
            throw .usage(
                "“favorites \(action.rawValue)” has no option \(unsupported.spelling); usage:"
                    + " apod-mirror \(action.usage)")
        }
        guard action.operands.contains(words.count) else {
            throw .usage("wrong number of arguments; usage: apod-mirror \(action.usage)")
        }
        let namesFavorites = !words.isEmpty
        guard action != .remove || namesFavorites != removesHeld else {
            throw .usage("name the favorites to remove, or use --held for all held ones")
        }
    }

    func run() async throws -> ExitCode {
        try arguments.printFoundMirror()
        switch action {
        case .add: return try await AddCommand(words, as: name, arguments).run()
        case .list: try list()
        case .remove: return try await carryOut(remove)
        case .restore: return try await carryOut(restore)
        }
        return .done
    }

    private func list() throws {
        let list = try FavoriteCommands(tree: try arguments.openTree(), isWriter: false).list()
        guard !isJSON else { return StandardStream.output.write(json: list.json.document) }
        if list.entries.isEmpty {
            StandardStream.output.write(
                "no favorites; drop a link to a picture into favorites/, or run"
                    + " “apod-mirror favorites add DAY”\n")
        }
        let text = FavoriteListText(list: list, columns: StandardStream.output.columns)
        StandardStream.output.write(text.lines.map { "\($0)\n" }.joined())
    }

    // MARK: Changes

    /// What an action did: a verb, and for each favorite or argument the names of links.
    private typealias Outcome = (verb: String, results: [Result<[String], any Error>])

    /// Carries out an action that changes favorites; prints what was done and what could not be done.
    private func carryOut(_ action: (FavoriteCommands) throws -> Outcome) async throws -> ExitCode {
        let commands = try arguments.openFavorites()
        // Links are made in `favorites/`; without a daemon, nothing else records the changes.
        try await commands.recreateMissingFolder().report()
        let (verb, results) = try action(commands)
        var (done, problems): ([String], [CommandError]) = ([], [])
        // What the action did is printed also if the scan after it fails.
        do {
            try await commands.reconcileWithoutDaemon()?.events.report()
        } catch {
            problems.append(CommandError(error))
        }
        for result in results {
            switch result {
            case .success(let items): done += items
            case .failure(let error): problems.append(CommandError(error))
            }
        }
        if problems.isEmpty || !done.isEmpty {
            let items = done.isEmpty ? "none" : done.joined(separator: ", ")
            StandardStream.output.write("\(verb): \(items)\n")
        }
        for problem in problems {
            StandardStream.error.write("apod-mirror: \(problem.message.printableLine)\n")
        }
        if self.action == .restore, words.isEmpty { try listRestorable(commands) }
        return problems.first?.code ?? .done
    }

    private func remove(with commands: FavoriteCommands) throws -> Outcome {
        guard !removesHeld else {
            return ("removed", [.success(try commands.removeMissing().map(\.description))])
        }
        let results = try commands.remove(words).map { result in
            result.map { favorite in
                guard !favorite.names.isEmpty else {
                    return ["\(favorite.day), which had no link"]
                }
                let delay = favorite.isImmediate ? "" : " (no favorite any more after a minute)"
                return favorite.names.map { $0.line + delay }
            }
        }
        return ("removed", results)
    }

    /// Restores the named favorites; without a name, all held ones.
    private func restore(with commands: FavoriteCommands) throws -> Outcome {
        let results = try commands.restore(words)
        return ("restored", results.map { result in result.map { names in names.map(\.line) } })
    }

    private func listRestorable(_ commands: FavoriteCommands) throws {
        let removed = try commands.removedFavorites()
        guard !removed.isEmpty else { return }
        StandardStream.output.write(
            "removed in the last 30 days; “apod-mirror favorites restore DAY” restores a link:\n")
        for favorite in removed {
            let names = favorite.names.map(\.line).joined(separator: ", ")
            StandardStream.output.write(
                "\(favorite.day)  \(favorite.title?.excerpt ?? "—")  \(names)\n")
        }
    }
}

extension FavoriteName {
    private static let unseen: Set<Unicode.GeneralCategory> = [
        .control, .format, .lineSeparator, .paragraphSeparator,
    ]

    /// The name on one line; if some character is not visible as what it is, all are percent-encoded.
    var line: String {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            // Visible ASCII needs no look into the tables of Unicode.
            0x20...0x7E ~= scalar.value
                || !Self.unseen.contains(scalar.properties.generalCategory)
        }
        return isText && isPlain ? text : escaped
    }
}

extension [ReconcileEvent] {
    /// Prints the events to standard error, except changes of favorites: the command says what it did.
    func report() {
        for event in self where !event.isChange {
            StandardStream.error.write("\(event.description.printableLine)\n")
        }
    }
}
