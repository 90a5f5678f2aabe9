import CommandLine
import Favorites
import Mirror
import Platform
import Service

/// `apod-mirror favorites add DAY|PATH|URL...`: adds days and files of one mirror to its favorites.
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
        var results = Results()
        let words = wordsInMirror(&results)
        do {
            if !words.isEmpty { try await add(words, &results) }
        } catch {
            // The mirror is not available: one error for all arguments.
            results.problems.append(error)
        }
        for line in results.added { StandardStream.output.write("\(line.verb): \(line.name)\n") }
        let sentences = results.problems.map { problem in
            String(CommandError(problem).message.map { $0.isNewline ? " " : $0 })
        }
        for sentence in sentences { StandardStream.error.write("apod-mirror: \(sentence)\n") }
        if isNotifying { await notify(problems: sentences, added: results.added.map(\.name)) }
        return results.problems.first.map { CommandError($0).code } ?? .done
    }

    /// What was done for the arguments so far.
    private struct Results {
        var added: [(verb: String, name: String)] = []
        /// The exit code of the command is that of the first one.
        var problems: [any Error] = []
    }

    /// The arguments, with the path in the mirror in place of each file; a file outside of it is a problem.
    private func wordsInMirror(_ results: inout Results) -> [String] {
        words.compactMap { word -> String? in
            // With `--root`, all arguments are for that mirror.
            guard !arguments.isTyped(Settings.directory.option),
                let file = MirrorChoice.existingFile(word)
            else { return word }
            guard let (root, path) = Tree.location(of: file),
                root.utf8.elementsEqual(arguments.mirror.root.utf8)
            else {
                results.problems.append(FavoriteError.notInMirror(path: file))
                return nil
            }
            return path
        }
    }

    private func add(_ words: [String], _ results: inout Results) async throws {
        let commands = try arguments.openFavorites()
        // The links need `favorites/`, whose lost links are restored with it.
        try await commands.recreateMissingFolder()?.printNotices()
        var names: Set<FavoriteName> = []
        for result in try commands.makeFavorites(of: words, named: name) {
            switch result {
            case .success(let favorite):
                // The poster and the page of a video are one favorite.
                guard names.insert(favorite.name).inserted else { continue }
                let verb = favorite.isNew ? "added" : "already a favorite"
                results.added.append((verb, favorite.name.line))
            case .failure(let error): results.problems.append(error)
            }
        }
        try await commands.reconcileWithoutDaemon()?.printNotices()
    }

    // MARK: Notification

    private func notify(problems: [String], added: [String]) async {
        let lines = problems + added.map { "★ \($0)" }
        let text = lines.limited(to: 6) { "\($0) more" }
        await DesktopNotice.show(
            text.joined(separator: "\n"), path: arguments.environment["PATH"])
    }
}
