import APOD
import CommandLine
import Favorites
import JSON
import Mirror
import Platform
import Service

/// `apod-mirror favorites list|add|remove|restore`: changes the links in `favorites/`, which make days favorites.
///
/// ``FavoriteCommands`` does the work. A favorite that cannot be added, removed or restored is reported, and the command goes on
/// with the others.
struct FavoritesCommand {
    private let arguments: Arguments
    private let action: FavoritesAction
    /// The operands of the action: days, names of links, files or addresses.
    private let operands: [String]
    /// `--as`: the name of the new link; `nil` for the name of the picture.
    private let name: String?
    /// `--json`, which only `list` has.
    private let isJSON: Bool
    /// `--held`: `remove` without operands removes all favorites whose links are missing.
    private let removesHeld: Bool
    /// `--notify`: `add` also shows its results as a desktop notification.
    private let notifies: Bool

    init(_ arguments: Arguments) throws {
        let actionName = arguments.operands.first ?? FavoritesAction.list.rawValue
        guard let action = FavoritesAction(rawValue: actionName) else {
            let near = suggestion(for: actionName, among: FavoritesAction.allCases.map(\.rawValue))
            throw CommandError.usage("unknown action “\(actionName)” of favorites\(near)")
        }
        self.action = action
        operands = Array(arguments.operands.dropFirst())
        name = try arguments.value(.as, "a name") { $0.isEmpty ? nil : $0 }
        isJSON = try arguments.isOn(.json)
        removesHeld = try arguments.isOn(.held)
        notifies = try arguments.isOn(.notify)
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
        guard action.operands.count.contains(operands.count) else {
            throw .usage("wrong number of arguments; usage: apod-mirror \(action.usage)")
        }
        let hasOperands = !operands.isEmpty
        // Either operands or --held, but not both.
        if action == .remove, hasOperands == removesHeld {
            throw .usage("name the favorites to remove, or use --held for all held ones")
        }
        guard name == nil || operands.count == 1 else {
            throw .usage("--as names one favorite, but \(operands.count) are given")
        }
    }

    func run() async throws -> ExitCode {
        try arguments.printFoundMirror()
        var results = FavoritesResults()
        do {
            switch action {
            case .list: try printList()
            case .add: try await add(reportingTo: &results)
            case .remove where removesHeld:
                try await change { results.add(removedDays: try $0.removeMissing()) }
            case .remove: try await change { results.add(removed: try $0.remove(operands)) }
            case .restore:
                try await change {
                    results.add(restored: try $0.restore(operands))
                    // Without operands, all held favorites are restored, and the removed ones are listed.
                    if operands.isEmpty { results.add(restorable: try $0.removedFavorites()) }
                }
            }
        } catch {
            // It is printed below, after the lines about what was done before the error.
            results.add(problem: error)
        }
        results.print()
        if notifies { await results.notify(through: arguments.environment["PATH"]) }
        return results.exitCode
    }

    // MARK: List

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

    // MARK: Changes

    /// Opens the mirror and runs `body`, which changes the links in `favorites/`; without a daemon, then records the changes.
    private func change(by body: (FavoriteCommands) throws -> Void) async throws {
        let commands = try await MirrorAccess(arguments)
            .openFavorites(minimumFree: Settings(arguments).minimumFree)
        defer { warnOfMovedItems(in: commands.tree) }
        // If the folder is gone, it is first made again with its links.
        try await commands.recreateMissingFolder()?.printNotices()
        try body(commands)
        try await commands.reconcileUnlessDaemon()?.printNotices()
    }

    private func add(reportingTo results: inout FavoritesResults) async throws {
        var targets: [String] = []
        for operand in operands {
            do {
                targets.append(try target(of: operand))
            } catch let error as FavoriteError {
                results.add(problem: error)
            }
        }
        guard !targets.isEmpty else { return }
        try await change { commands in
            results.add(added: try commands.makeFavorites(of: targets, named: name))
        }
    }

    /// What `add` makes a favorite of: the operand, or if it names a file, its path in the mirror.
    ///
    /// With `--root`, an operand is never taken for a file.
    ///
    /// - Throws: ``FavoriteError`` for a file outside of the mirror.
    private func target(of operand: String) throws -> String {
        guard !arguments.isTyped(Settings.directory.option),
            let file = Arguments.existingFile(operand)
        else { return operand }
        guard let (root, path) = try Tree.location(of: file),
            root.utf8.elementsEqual(arguments.mirror.root.utf8)
        else {
            throw FavoriteError.refused(
                "\(file) is not in this mirror; use a picture of it, or --root")
        }
        return path
    }
}
