import APOD
import CommandLine
import Favorites
import JSON
import Mirror
import Platform
import Service

/// `apod-mirror favorites list|add|remove|restore`; ``FavoriteCommands`` does the work.
///
/// A favorite that cannot be added, removed or restored is reported, and the command goes on with the others.
struct FavoritesCommand {
    private let arguments: Arguments
    private let action: FavoritesAction
    /// The operands of the action: days, names of links, files or addresses.
    private let words: [String]
    /// `--as`: the name of the new link; `nil` for the name of the picture.
    private let name: String?
    /// `--json`, which only `list` has.
    private let isJSON: Bool
    /// `--held`: `remove` without operands removes all held favorites.
    private let removesHeld: Bool
    /// `--notify`: `add` also shows its results as a desktop notification.
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

    /// Checks that the action has the options and the number of operands that the user typed.
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
            case .list: try printList()
            case .add:
                let targets = try targetsInMirror(reportingTo: &results)
                if !targets.isEmpty {
                    try await change(reportingTo: &results) { try add(targets, with: $0, &$1) }
                }
            case .remove: try await change(reportingTo: &results, by: remove)
            case .restore: try await change(reportingTo: &results, by: restore)
            }
        } catch {
            // It is printed below, after the lines about what was done before the error.
            results.problems.append(error)
        }
        for line in results.lines { StandardStream.output.write("\(line)\n") }
        let errors = results.problems.map { CommandError($0) }
        let messages = errors.map(\.message.printableLine)
        for message in messages { StandardStream.error.write("apod-mirror: \(message)\n") }
        if isNotifying { await notify(messages + results.added.map { "★ \($0)" }) }
        return errors.first?.code ?? .done
    }

    private func printList() throws {
        let list = try FavoriteCommands(
            of: Store(reading: MirrorAccess(arguments).openForReading())
        ).list()
        if isJSON {
            StandardStream.output.write(json: list.json.document)
        } else {
            printText(of: list)
        }
        if let error = list.folderError { throw error }
    }

    private func printText(of list: FavoriteList) {
        if list.entries.isEmpty, list.folderError == nil {
            StandardStream.output.write(
                "no favorites; drop a link to a picture into favorites/, or run"
                    + " “apod-mirror favorites add DAY”\n")
        }
        let text = FavoriteListText(list: list, columns: StandardStream.output.columns)
        StandardStream.output.write(text.lines.map { "\($0)\n" }.joined())
    }

    /// What the command prints at its end.
    private struct Results {
        /// For standard output.
        var lines: [String] = []
        /// The names of the added favorites, for the notification.
        var added: [String] = []
        /// Why favorites could not be changed, or the command ended; the first problem decides the exit code.
        var problems: [any Error] = []

        mutating func addProblems<Favorite>(of changes: [Result<Favorite, any Error>]) {
            for case .failure(let error) in changes { problems.append(error) }
        }

        /// Adds the line `removed: a.jpg, b.jpg`; without items, `removed: none`, or no line if problems say why.
        mutating func addLine(_ verb: String, _ items: [String]) {
            guard problems.isEmpty || !items.isEmpty else { return }
            lines.append("\(verb): \(items.isEmpty ? "none" : items.joined(separator: ", "))")
        }
    }

    /// Opens the mirror and runs `body`, which changes the links in `favorites/`; without a daemon, then records the changes.
    private func change(
        reportingTo results: inout Results,
        by body: (FavoriteCommands, inout Results) throws -> Void
    ) async throws {
        let commands = try await MirrorAccess(arguments)
            .openFavorites(minimumFree: Settings(arguments).minimumFree)
        // If the folder is gone, it is first made again with its links.
        try await commands.recreateMissingFolder()?.printNotices()
        try body(commands, &results)
        try await commands.reconcileWithoutDaemon()?.printNotices()
    }

    /// What `add` makes favorites of: the ``words``, where the path of a file is replaced by its path in the mirror.
    ///
    /// A file outside of the mirror becomes a problem in `results`. With `--root`, a word is never taken for a file.
    private func targetsInMirror(reportingTo results: inout Results) throws -> [String] {
        try words.compactMap { word -> String? in
            guard !arguments.isTyped(Settings.directory.option),
                let file = MirrorChoice.existingFile(word)
            else { return word }
            guard let (root, path) = try Tree.location(of: file),
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
        _ targets: [String], with commands: FavoriteCommands, _ results: inout Results
    ) throws {
        let changes = try commands.makeFavorites(of: targets, named: name)
        results.addProblems(of: changes)
        var names: Set<FavoriteName> = []
        for case .success(let favorite) in changes {
            // The user may have named one favorite twice, as by the poster and the page of a video.
            guard names.insert(favorite.name).inserted else { continue }
            results.addLine(favorite.isNew ? "added" : "already a favorite", [favorite.name.line])
            results.added.append(
                favorite.name.line + (favorite.isNew ? "" : " (was a favorite already)"))
        }
    }

    private func remove(with commands: FavoriteCommands, _ results: inout Results) throws {
        guard !removesHeld else {
            return results.addLine("removed", try commands.removeMissing().map(\.description))
        }
        let changes = try commands.remove(words)
        results.addProblems(of: changes)
        let items = changes.flatMap { change -> [String] in
            guard let favorite = try? change.get() else { return [] }
            guard !favorite.names.isEmpty else { return ["\(favorite.day), which had no link"] }
            let delay = favorite.isImmediate ? "" : " (no favorite any more after a minute)"
            return favorite.names.map { $0.line + delay }
        }
        results.addLine("removed", items)
    }

    /// Restores the named favorites; without a name, restores all held ones and lists the removed ones.
    private func restore(with commands: FavoriteCommands, _ results: inout Results) throws {
        let changes = try commands.restore(words)
        results.addProblems(of: changes)
        let names = changes.flatMap { (try? $0.get()) ?? [] }
        results.addLine("restored", names.map(\.line))
        let removed = try words.isEmpty ? commands.removedFavorites() : []
        guard !removed.isEmpty else { return }
        results.lines.append(
            "removed in the last 30 days; “apod-mirror favorites restore DAY” restores a link:")
        for item in removed {
            let favorite = item.favorite
            let date = item.removed.map { "removed \($0)" } ?? "removed at an unknown time"
            let names = favorite.names.map(\.line).joined(separator: ", ")
            results.lines.append(
                "\(favorite.day)  \(date)  \(favorite.title?.excerpt ?? "—")  \(names)")
        }
    }

    /// Shows `lines` as a notification of the desktop, if notify-send(1) is installed.
    private func notify(_ lines: [String]) async {
        let text = lines.limited(to: 6) { "\($0) more" }.joined(separator: "\n")
        // The desktop interprets markup, and notify-send interprets backslashes, see g_strcompress() of GLib.
        let body = text.printable.replacing("\\", by: "\\\\").htmlEscaped
        let words = [
            "--app-name=apod-mirror", "--icon=emblem-favorite", "--", "APOD favorites", body,
        ]
        let program = ExternalProgram("notify-send", words, in: arguments.environment["PATH"])
        _ = await program?.succeeds(within: .seconds(20))
    }
}

extension FavoriteName {
    /// The name on one line; a name with control characters is percent-encoded, because a terminal would obey them.
    var line: String { isText && text.printableLine == text ? text : escaped }
}

extension ReconcileOutcome {
    /// Prints the notices on standard error; the command itself prints the changes of favorites.
    func printNotices() {
        for notice in notices { StandardStream.error.write("\(notice.printableLine)\n") }
    }
}
