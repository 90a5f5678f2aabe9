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
        var (targets, problems) = try self.targets()
        var added: [AddedFavorite] = []
        for index in targets.indices {
            do {
                added += try await add(targets[index], &problems)
            } catch {
                // The mirror is not available: one error for all of its arguments.
                guard targets.count + problems.count > 1 || isNotifying else { throw error }
                problems.append(error)
            }
        }
        // A poster and the page beside it are one favorite.
        let favorites = added.reduce(into: [AddedFavorite]()) { favorites, favorite in
            if !favorites.contains(where: { $0.name == favorite.name }) {
                favorites.append(favorite)
            }
        }
        let sentences = problems.map { CommandError($0).message.map { $0.isNewline ? " " : $0 } }
            .map { String($0) }
        for favorite in favorites {
            let verb = favorite.isNew ? "added" : "already a favorite"
            StandardStream.output.write("\(verb): \(favorite.name.line)\n")
        }
        for sentence in sentences { StandardStream.error.write("apod-mirror: \(sentence)\n") }
        if isNotifying { await notify(sentences, favorites.map(\.name.line)) }
        return problems.first.map { CommandError($0).code } ?? .done
    }

    // MARK: Mirrors

    /// A mirror and the arguments for it.
    private typealias Target = (root: String, words: [String])

    /// Groups the arguments by mirror.
    private func targets() throws -> ([Target], [any Error]) {
        var targets: [Target] = []
        var problems: [any Error] = []
        for word in words {
            do {
                let (root, word) = try target(of: word)
                if let index = targets.firstIndex(where: { $0.root == root }) {
                    targets[index].words.append(word)
                } else {
                    targets.append((root, [word]))
                }
            } catch {
                problems.append(error)
            }
        }
        return (targets, problems)
    }

    /// The mirror for `word`, and the word as an argument for that mirror.
    private func target(of word: String) throws -> (root: String, word: String) {
        guard !arguments.isTyped(Settings.directory.option),
            let file = MirrorChoice.existingFile(word)
        else {
            return (try arguments.mirror().root, word)
        }
        guard let (root, path) = Tree.location(of: file) else { throw FavoriteError.noMirror(file) }
        return (root, path)
    }

    private func add(
        _ target: Target, _ problems: inout [any Error]
    ) async throws -> [AddedFavorite] {
        let mirror = try arguments.mirror()
        try mirror.checkOwner(of: target.root)
        let commands = try FavoriteCommands.open(
            target.root, opened: target.root == mirror.root ? mirror.directory : nil,
            known: arguments.known)
        try await commands.recreateMissingFolder().report()
        var added: [AddedFavorite] = []
        for result in try commands.add(target.words, as: name) {
            switch result {
            case .success(let favorite): added.append(favorite)
            case .failure(let error): problems.append(error)
            }
        }
        try await commands.reconcileWithoutDaemon()?.events.report()
        return added
    }

    // MARK: Notification

    private func notify(_ problems: [String], _ added: [String]) async {
        let lines = problems + added.map { "★ \($0)" }
        let more = lines.count > 6 ? ["… and \(lines.count - 6) more"] : []
        await DesktopNotice.show(
            (lines.prefix(6) + more).joined(separator: "\n"), isProblem: !problems.isEmpty,
            path: arguments["PATH"])
    }
}
