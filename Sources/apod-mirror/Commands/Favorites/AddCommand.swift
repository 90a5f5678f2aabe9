import CommandLine
import Favorites
import Mirror
import Platform
import Service

/// `apod-mirror favorites add DAY|PATH|URL...`: adds days to one mirror, and files to the mirrors that
/// contain them.
///
/// An argument that cannot be added is reported, and the others are added.
struct AddCommand {
    private let words: [String]
    private let name: String?
    private let arguments: Arguments
    /// Whether the result is also a desktop notification.
    private let isNotifying: Bool

    init(_ words: [String], as name: String?, _ arguments: Arguments) throws(CommandError) {
        isNotifying = try arguments.isOn(.notify)
        guard name == nil || words.count == 1 else {
            throw .usage("--as names one favorite, but \(words.count) are given")
        }
        self.words = words
        self.name = name
        self.arguments = arguments
    }

    func run() async throws -> ExitCode {
        var problems: [any Error] = []
        let targets = targets(&problems)
        var added: [FavoriteCommands.AddedFavorite] = []
        for target in targets {
            do {
                added += try await add(to: target, &problems)
            } catch {
                // The mirror is not available: one error for all of its arguments.
                guard targets.count + problems.count > 1 || isNotifying else { throw error }
                problems.append(error)
            }
        }
        // The poster and the page of a video are one favorite.
        var favorites: [FavoriteCommands.AddedFavorite] = []
        for favorite in added where !favorites.contains(where: { $0.name == favorite.name }) {
            favorites.append(favorite)
            let verb = favorite.isNew ? "added" : "already a favorite"
            StandardStream.output.write("\(verb): \(favorite.name.line)\n")
        }
        let sentences = problems.map { problem in
            String(CommandError(problem).message.map { $0.isNewline ? " " : $0 })
        }
        for sentence in sentences { StandardStream.error.write("apod-mirror: \(sentence)\n") }
        if isNotifying { await notify(problems: sentences, added: favorites.map(\.name.line)) }
        return problems.first.map { CommandError($0).code } ?? .done
    }

    // MARK: Mirrors

    /// A mirror and the arguments for it.
    private struct Target {
        let root: String
        var words: [String]
    }

    /// Groups the arguments by mirror; reports those that name a file outside of all mirrors.
    private func targets(_ problems: inout [any Error]) -> [Target] {
        var targets: [Target] = []
        for word in words {
            do {
                let target = try target(of: word)
                if let index = targets.firstIndex(where: { $0.root == target.root }) {
                    targets[index].words += target.words
                } else {
                    targets.append(target)
                }
            } catch {
                problems.append(error)
            }
        }
        return targets
    }

    /// The mirror that contains the file `word`, and its path there; else the command's mirror and `word`.
    private func target(of word: String) throws -> Target {
        guard !arguments.isTyped(Settings.directory.option),
            let file = MirrorChoice.existingFile(word)
        else {
            return Target(root: try arguments.mirror().root, words: [word])
        }
        guard let (root, path) = Tree.location(of: file) else {
            throw FavoriteError.notInMirror(path: file)
        }
        return Target(root: root, words: [path])
    }

    private func add(
        to target: Target, _ problems: inout [any Error]
    ) async throws -> [FavoriteCommands.AddedFavorite] {
        let mirror = try arguments.mirror()
        try mirror.checkOwner(of: target.root)
        let commands = try FavoriteCommands.open(
            target.root, opened: target.root == mirror.root ? mirror.directory : nil,
            known: arguments.known)
        try await commands.recreateMissingFolder().report()
        var added: [FavoriteCommands.AddedFavorite] = []
        for result in try commands.makeFavorites(of: target.words, named: name) {
            switch result {
            case .success(let favorite): added.append(favorite)
            case .failure(let error): problems.append(error)
            }
        }
        try await commands.reconcileWithoutDaemon()?.events.report()
        return added
    }

    // MARK: Notification

    private func notify(problems: [String], added: [String]) async {
        let maximumLines = 6
        let lines = problems + added.map { "★ \($0)" }
        let rest = lines.count - maximumLines
        let text = lines.prefix(maximumLines) + (rest > 0 ? ["… and \(rest) more"] : [])
        await DesktopNotice.show(
            text.joined(separator: "\n"), isProblem: !problems.isEmpty, path: arguments["PATH"])
    }
}
