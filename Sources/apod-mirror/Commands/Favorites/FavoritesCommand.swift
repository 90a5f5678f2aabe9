import APOD
import CommandLine
import Favorites
import JSON
import Platform

/// `apod-mirror favorites list|add|remove|restore`: see ``FavoriteCommands``.
struct FavoritesCommand {
    private let action: FavoritesAction
    /// The arguments of the action.
    let words: [String]
    /// The name of the new link; `nil` for the name of the picture.
    let name: String?
    private let isJSON: Bool
    private let removesHeld: Bool
    /// Whether the result is also a desktop notification.
    let isNotifying: Bool
    let arguments: Arguments

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
        isNotifying = try arguments.isOn(.notify)
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
        guard name == nil || words.count == 1 else {
            throw .usage("--as names one favorite, but \(words.count) are given")
        }
    }

    func run() async throws -> ExitCode {
        try arguments.printFoundMirror()
        switch action {
        case .list: return try list()
        case .add: return await add()
        case .remove: return report(try await change(remove), after: "removed")
        case .restore:
            let code = report(try await change(restore), after: "restored")
            if words.isEmpty { try listRestorable() }
            return code
        }
    }

    private func list() throws -> ExitCode {
        let list = try FavoriteCommands(tree: try arguments.openTree(), isWriter: false).list()
        guard !isJSON else {
            StandardStream.output.write(json: list.json.document)
            return .done
        }
        if list.entries.isEmpty {
            StandardStream.output.write(
                "no favorites; drop a link to a picture into favorites/, or run"
                    + " “apod-mirror favorites add DAY”\n")
        }
        let text = FavoriteListText(list: list, columns: StandardStream.output.columns)
        StandardStream.output.write(text.lines.map { "\($0)\n" }.joined())
        return .done
    }

    // MARK: Changes

    /// What an action did.
    struct Outcome {
        /// The names of links, and days without one.
        var done: [String] = []
        var problems: [CommandError] = []
    }

    /// Carries out an action, which answers for each favorite or argument; records the changes unless a daemon does.
    func change(
        _ action: (FavoriteCommands) throws -> [Result<[String], any Error>]
    ) async throws -> Outcome {
        let commands = try arguments.openFavorites()
        // Links are made in `favorites/`, whose lost links are restored with it.
        try await commands.recreateMissingFolder().report()
        let results = try action(commands)
        var outcome = Outcome()
        // What the action did is reported also if the scan after it fails.
        do {
            try await commands.reconcileWithoutDaemon()?.events.report()
        } catch {
            outcome.problems.append(CommandError(error))
        }
        for result in results {
            switch result {
            case .success(let items): outcome.done += items
            case .failure(let error): outcome.problems.append(CommandError(error))
            }
        }
        return outcome
    }

    /// Prints what was done in a line that begins with `verb`, and what could not be done; returns the exit code.
    private func report(_ outcome: Outcome, after verb: String) -> ExitCode {
        if outcome.problems.isEmpty || !outcome.done.isEmpty {
            let items = outcome.done.isEmpty ? "none" : outcome.done.joined(separator: ", ")
            StandardStream.output.write("\(verb): \(items)\n")
        }
        return report(outcome.problems)
    }

    /// Prints what could not be done; returns the exit code, that of the first problem.
    func report(_ problems: [CommandError]) -> ExitCode {
        for problem in problems {
            StandardStream.error.write("apod-mirror: \(problem.message.printableLine)\n")
        }
        return problems.first?.code ?? .done
    }

    private func remove(with commands: FavoriteCommands) throws -> [Result<[String], any Error>] {
        guard !removesHeld else {
            return [.success(try commands.removeMissing().map(\.description))]
        }
        return try commands.remove(words).map { result in
            result.map { favorite -> [String] in
                guard !favorite.names.isEmpty else {
                    return ["\(favorite.day), which had no link"]
                }
                let delay = favorite.isImmediate ? "" : " (no favorite any more after a minute)"
                return favorite.names.map { $0.line + delay }
            }
        }
    }

    /// Restores the named favorites; without a name, all held ones.
    private func restore(with commands: FavoriteCommands) throws -> [Result<[String], any Error>] {
        try commands.restore(words).map { result in result.map { names in names.map(\.line) } }
    }

    private func listRestorable() throws {
        let removed = try FavoriteCommands(tree: try arguments.openTree(), isWriter: false)
            .removedFavorites()
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
    /// The name on one line; if some character is not visible as what it is, all are percent-encoded.
    var line: String {
        let unseen: Set<Unicode.GeneralCategory> = [
            .control, .format, .lineSeparator, .paragraphSeparator,
        ]
        let isPlain =
            isText
            && text.unicodeScalars.allSatisfy { !unseen.contains($0.properties.generalCategory) }
        return isPlain ? text : escaped
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
