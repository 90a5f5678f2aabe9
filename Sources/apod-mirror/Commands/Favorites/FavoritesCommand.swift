import APOD
import CommandLine
import Favorites
import Glibc
import JSON
import Platform

/// `apod-mirror favorites list|add|remove|restore|export|import`: see ``FavoriteCommands``.
struct FavoritesCommand {
    private let action: FavoritesAction
    private let words: [String]
    /// The name of the new link; `nil` for the name of the picture.
    private let name: String?
    private let isJSON: Bool
    private let isDryRun: Bool
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
        isDryRun = try arguments.isOn(.dryRun)
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
        case .export: try export()
        case .remove, .restore, .import: return try await changeFavorites()
        }
        return .done
    }

    private func readFavorites() throws -> FavoriteList {
        try FavoriteCommands(tree: try arguments.openTree(), isWriter: false).list()
    }

    private func list() throws {
        let list = try readFavorites()
        guard !isJSON else { return write(list.json) }
        if list.entries.isEmpty {
            StandardStream.output.write(
                "no favorites; drop a link to a picture into favorites/, or run"
                    + " “apod-mirror favorites add DAY”\n")
        }
        let text = FavoriteListText(list: list, columns: StandardStream.output.columns)
        StandardStream.output.write(text.lines.map { "\($0)\n" }.joined())
    }

    private func export() throws {
        let list = try readFavorites()
        isJSON ? write(list.json) : StandardStream.output.write(list.dates)
    }

    private func write(_ json: JSON) {
        StandardStream.output.write(json: json.document)
    }

    /// Carries out the action and reports what was done and what could not be done.
    private func changeFavorites() async throws -> ExitCode {
        let mirror = try arguments.mirror()
        let commands = try FavoriteCommands.open(
            mirror.root, opened: mirror.directory, known: arguments.known)
        if !isDryRun { try await commands.recreateMissingFolder().report() }
        let outcome = try outcome(of: commands)
        if !isDryRun { try await commands.reconcileWithoutDaemon()?.events.report() }
        if outcome.problems.isEmpty || !outcome.done.isEmpty {
            StandardStream.output.write("\(outcome.verb): \(Self.joined(outcome.done))\n")
        }
        for problem in outcome.problems {
            let message = CommandError(problem).message.printableLine
            StandardStream.error.write("apod-mirror: \(message)\n")
        }
        if action == .restore, words.isEmpty { try listRestorable(commands) }
        return outcome.problems.first.map { CommandError($0).code } ?? .done
    }

    /// What an action has done, and what it could not do.
    private struct Outcome {
        let verb: String
        var done: [String] = []
        var problems: [any Error] = []

        init(_ verb: String, _ results: [Result<[String], any Error>]) {
            self.verb = verb
            for result in results {
                switch result {
                case .success(let items): done += items
                case .failure(let error): problems.append(error)
                }
            }
        }
    }

    private func outcome(of commands: FavoriteCommands) throws -> Outcome {
        switch action {
        case .remove where removesHeld:
            let days = try commands.removeMissing().map(\.description)
            return Outcome("removed", [.success(days)])
        case .remove:
            return Outcome(
                "removed",
                try commands.remove(words).map { result in result.map(Self.names(ofRemoved:)) })
        case .restore:
            return Outcome(
                isDryRun ? "would restore" : "restored",
                try commands.restore(words, isDryRun: isDryRun).map { result in
                    result.map { names in names.map(\.line) }
                })
        case .import:
            return Outcome(
                "added",
                try commands.importList(try read(file: words[0])).map { result in
                    result.map { day in [day.description] }
                })
        case .add, .list, .export: preconditionFailure("\(action) has no outcome")
        }
    }

    private static func names(ofRemoved favorite: FavoriteCommands.Removal) -> [String] {
        favorite.names.isEmpty ? ["\(favorite.day), which had no link"] : favorite.names.map(\.line)
    }

    /// Lists removed favorites that can be restored.
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

    /// Reads a file, or standard input if `path` is `-`.
    private func read(file path: String) throws -> [UInt8] {
        do throws(SystemError) {
            let file = path == "-" ? FileDescriptor(owning: 0) : try .init(opening: path, O_RDONLY)
            return try file.readToEnd(limit: 16 << 20, path: path)
        } catch {
            let isOther = try arguments.mirror().isOfRoot && Account.effectiveUserID != 0
            guard isOther, error.isPermissionDenied else { throw error }
            throw CommandError(
                "\(error); the command reads as \(Account.name(ofUser: Account.effectiveUserID)), the owner of the"
                    + " mirror; use “sudo cat \(path.shellWord) |"
                    + " sudo apod-mirror favorites import -”")
        }
    }

    private static func joined(_ items: [String]) -> String {
        items.isEmpty ? "none" : items.joined(separator: ", ")
    }
}

extension FavoriteName {
    /// The name on one line; control characters are percent-encoded.
    var line: String {
        let isPlain =
            isText
            && text.unicodeScalars.allSatisfy {
                $0.properties.generalCategory != .control
                    && $0.properties.generalCategory != .format
            }
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
