import CommandLine
import Favorites
import Mirror
import Platform

/// `apod-mirror favorites add DAY|PATH|URL...`: days of one mirror, and files of whichever mirror they
/// lie in.
///
/// What cannot be added is told of and is no reason to leave out the rest.
struct AddCommand {
    private let words: [String]
    private let name: String?
    private let arguments: Arguments
    private let known: KnownMirrors
    private let isNotifying: Bool

    init(_ words: [String], as name: String?, _ arguments: Arguments) throws(CommandError) {
        isNotifying = try arguments.isOn(.notify)
        guard name == nil || words.count == 1 else {
            throw .usage("--as is for one favorite, not for \(words.count)")
        }
        self.words = words
        self.name = name
        self.arguments = arguments
        known = KnownMirrors(environment: arguments.environment)
    }

    func run() async throws -> ExitCode {
        var (places, problems) = try sorted()
        var added: [FavoriteName] = []
        for place in places.indices {
            do {
                added += try await add(&places[place], &problems)
            } catch {
                // One sentence for all of one mirror: it is away, or no mirror any more.
                guard places.count + problems.count > 1 || isNotifying else { throw error }
                problems.append(error)
            }
        }
        // A poster and the shortcut beside it are one favorite.
        let lines = added.map(\.line).reduce(into: [String]()) { lines, line in
            if !lines.contains(line) { lines.append(line) }
        }
        let sentences = problems.map { CommandError($0).message.map { $0.isNewline ? " " : $0 } }
            .map { String($0) }
        for line in lines { StandardStream.output.write("favorites/\(line)\n") }
        for sentence in sentences { StandardStream.error.write("apod-mirror: \(sentence)\n") }
        if isNotifying { await notify(sentences, lines) }
        return problems.first.map { CommandError($0).code } ?? .done
    }

    // MARK: Where each belongs

    /// The words for one mirror.
    private struct Place {
        let root: String
        var words: [String]
    }

    private func sorted() throws -> ([Place], [any Error]) {
        var places: [Place] = []
        var problems: [any Error] = []
        for word in words {
            do {
                let (root, word) = try place(of: word)
                if let index = places.firstIndex(where: { $0.root == root }) {
                    places[index].words.append(word)
                } else {
                    places.append(Place(root: root, words: [word]))
                }
            } catch {
                problems.append(error)
            }
        }
        return (places, problems)
    }

    /// The mirror that `word` is about, and what it says there.
    private func place(of word: String) throws -> (root: String, word: String) {
        guard !arguments.isTyped(.root), let file = Settings.existing(word) else {
            return (try Settings.root(arguments), word)
        }
        guard let (root, path) = Tree.location(of: file) else { throw FavoriteError.noMirror(file) }
        return (root, path)
    }

    private func add(
        _ place: inout Place, _ problems: inout [any Error]
    ) async throws -> [FavoriteName] {
        let commands = try FavoriteCommands.open(place.root, known: known)
        var added: [FavoriteName] = []
        for result in try commands.add(place.words, as: name) {
            switch result {
            case .success(let name): added.append(name)
            case .failure(let error): problems.append(error)
            }
        }
        for message in try await commands.reconcile()?.events ?? [] {
            StandardStream.error.write("\(message)\n")
        }
        return added
    }

    // MARK: What a person is told

    private func notify(_ problems: [String], _ added: [String]) async {
        let said = problems + added.map { "★ \($0)" }
        let more = said.count > 6 ? ["… and \(said.count - 6) more"] : []
        let notice = DesktopNotice(
            text: (said.prefix(6) + more).joined(separator: "\n"), isProblem: !problems.isEmpty)
        await notice.show(path: arguments["PATH"])
    }
}
