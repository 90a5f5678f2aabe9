import APOD
import CommandLine
import Favorites
import JSON
import Mirror
import Platform
import Service

/// `apod-mirror favorites list|add|remove|restore`: see ``FavoriteCommands``.
///
/// What cannot be added, removed or restored is reported, and prevents nothing else.
struct FavoritesCommand {
    private let arguments: Arguments
    private let action: FavoritesAction
    /// The operands of the action: days, names of links, files or addresses.
    private let words: [String]
    /// `--as`: the name of the new link; `nil` for the name of the picture.
    private let name: String?
    /// `--json`, for `list` alone.
    private let isJSON: Bool
    /// `--held`: `remove` removes all held favorites, and has no operands.
    private let removesHeld: Bool
    /// `--notify`: the result of `add` is also a desktop notification.
    private let isNotifying: Bool

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
        guard action.operands.count.contains(words.count) else {
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
        var results = Results()
        do {
            switch action {
            case .list: try list()
            case .add:
                let words = wordsInMirror(&results)
                if !words.isEmpty { try await change(&results) { try add(words, with: $0, &$1) } }
            case .remove: try await change(&results, by: remove)
            case .restore: try await change(&results, by: restore)
            }
        } catch {
            // What was done before is printed nevertheless.
            results.problems.append(error)
        }
        for line in results.lines { StandardStream.output.write("\(line)\n") }
        let problems = results.problems.map { CommandError($0) }
        let sentences = problems.map(\.message.printableLine)
        for sentence in sentences { StandardStream.error.write("apod-mirror: \(sentence)\n") }
        if isNotifying { await notify(sentences + results.added.map { "★ \($0)" }) }
        return problems.first?.code ?? .done
    }

    private func list() throws {
        let list = try FavoriteCommands(of: Store(reading: arguments.openTree())).list()
        if isJSON {
            StandardStream.output.write(json: list.json.document)
        } else {
            write(list)
        }
        if let error = list.folderError { throw error }
    }

    private func write(_ list: FavoriteList) {
        if list.entries.isEmpty, list.folderError == nil {
            StandardStream.output.write(
                "no favorites; drop a link to a picture into favorites/, or run"
                    + " “apod-mirror favorites add DAY”\n")
        }
        let text = FavoriteListText(list: list, columns: StandardStream.output.columns)
        StandardStream.output.write(text.lines.map { "\($0)\n" }.joined())
    }

    // MARK: Changes

    /// What was done for the arguments so far.
    private struct Results {
        /// For standard output.
        var lines: [String] = []
        /// The names of the added favorites.
        var added: [String] = []
        /// The exit code of the command is that of the first one.
        var problems: [any Error] = []

        /// The values of `results`; their errors are problems.
        mutating func values<Value>(of results: [Result<Value, any Error>]) -> [Value] {
            var values: [Value] = []
            for result in results {
                do {
                    values.append(try result.get())
                } catch {
                    problems.append(error)
                }
            }
            return values
        }

        /// Adds a line, unless nothing was done and the problems say so.
        mutating func append(_ verb: String, _ items: [String]) {
            guard problems.isEmpty || !items.isEmpty else { return }
            lines.append("\(verb): \(items.isEmpty ? "none" : items.joined(separator: ", "))")
        }
    }

    /// Has `body` change the favorites, and records the changes if no daemon does.
    private func change(
        _ results: inout Results, by body: (FavoriteCommands, inout Results) throws -> Void
    ) async throws {
        let commands = try await arguments.openFavorites()
        // Links are made in `favorites/`, whose lost links are restored with it.
        try await commands.recreateMissingFolder()?.printNotices()
        try body(commands, &results)
        try await commands.reconcileWithoutDaemon()?.printNotices()
    }

    /// The ``words``, with the path in the mirror in place of each file; a file outside of the mirror is a problem.
    private func wordsInMirror(_ results: inout Results) -> [String] {
        words.compactMap { word -> String? in
            // With `--root`, all arguments are for that mirror.
            guard !arguments.isTyped(Settings.directory.option),
                let file = MirrorChoice.existingFile(word)
            else { return word }
            guard let (root, path) = Tree.location(of: file),
                root.utf8.elementsEqual(arguments.mirror.root.utf8)
            else {
                results.problems.append(
                    FavoriteError.refused(
                        "\(file) is not in this mirror; use a picture of it, or --root"))
                return nil
            }
            return path
        }
    }

    private func add(
        _ words: [String], with commands: FavoriteCommands, _ results: inout Results
    ) throws {
        var names: Set<FavoriteName> = []
        for favorite in results.values(of: try commands.makeFavorites(of: words, named: name)) {
            // The poster and the page of a video are one favorite.
            guard names.insert(favorite.name).inserted else { continue }
            results.append(favorite.isNew ? "added" : "already a favorite", [favorite.name.line])
            results.added.append(
                favorite.name.line + (favorite.isNew ? "" : " (was a favorite already)"))
        }
    }

    private func remove(with commands: FavoriteCommands, _ results: inout Results) throws {
        guard !removesHeld else {
            return results.append("removed", try commands.removeMissing().map(\.description))
        }
        let items = results.values(of: try commands.remove(words)).flatMap {
            favorite -> [String] in
            guard !favorite.names.isEmpty else { return ["\(favorite.day), which had no link"] }
            let delay = favorite.isImmediate ? "" : " (no favorite any more after a minute)"
            return favorite.names.map { $0.line + delay }
        }
        results.append("removed", items)
    }

    /// Restores the named favorites; without a name, all held ones, and lists the removed.
    private func restore(with commands: FavoriteCommands, _ results: inout Results) throws {
        let names = results.values(of: try commands.restore(words)).joined()
        results.append("restored", names.map(\.line))
        let removed = try words.isEmpty ? commands.removedFavorites() : []
        guard !removed.isEmpty else { return }
        results.lines.append(
            "removed in the last 30 days; “apod-mirror favorites restore DAY” restores a link:")
        for favorite in removed {
            let names = favorite.names.map(\.line).joined(separator: ", ")
            results.lines.append("\(favorite.day)  \(favorite.title?.excerpt ?? "—")  \(names)")
        }
    }

    /// Shows `lines` by notify-send(1), if that is installed.
    private func notify(_ lines: [String]) async {
        let text = lines.limited(to: 6) { "\($0) more" }.joined(separator: "\n")
        // The server of the desktop interprets markup, and notify-send escape sequences; see g_strcompress() of GLib.
        let body = text.printable.replacing("\\", by: "\\\\").htmlEscaped
        let words = [
            "--app-name=apod-mirror", "--icon=emblem-favorite", "--", "APOD favorites", body,
        ]
        let program = ExternalProgram("notify-send", words, in: arguments.environment["PATH"])
        _ = await program?.succeeds(within: .seconds(20))
    }
}

extension FavoriteName {
    /// The name on one line; all of it is percent-encoded if a terminal would obey one of its characters.
    var line: String { isText && text.printableLine == text ? text : escaped }
}

extension ReconcileOutcome {
    /// Prints the notices to standard error, not the changes of favorites: the command says what it did.
    func printNotices() {
        for notice in notices { StandardStream.error.write("\(notice.printableLine)\n") }
    }
}
