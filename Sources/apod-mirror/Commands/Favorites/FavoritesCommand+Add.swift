import CommandLine
import Favorites
import Mirror
import Platform
import Service

/// `apod-mirror favorites add DAY|PATH|URL...`: adds days and files of one mirror to its favorites.
///
/// An argument that cannot be added is reported, and the others are added.
extension FavoritesCommand {
    func add() async -> ExitCode {
        var outcome = Outcome()
        let words = words.compactMap { word -> String? in
            do throws(FavoriteError) {
                return try pathInMirror(word)
            } catch {
                outcome.problems.append(CommandError(error))
                return nil
            }
        }
        do {
            if !words.isEmpty {
                let added = try await change { try makeFavorites(of: words, with: $0) }
                outcome.done = added.done
                outcome.problems += added.problems
            }
        } catch {
            // The mirror is not available: one error for all arguments.
            outcome.problems.append(CommandError(error))
        }
        if isNotifying { await notify(outcome) }
        return report(outcome.problems)
    }

    /// The path in the mirror in place of a file.
    ///
    /// - Throws: ``FavoriteError/notInMirror(path:)`` if it is a file outside of the mirror.
    private func pathInMirror(_ word: String) throws(FavoriteError) -> String {
        // With `--root`, all arguments are for that mirror.
        guard !arguments.isTyped(Settings.directory.option),
            let file = MirrorChoice.existingFile(word)
        else { return word }
        guard let (root, path) = Tree.location(of: file),
            root.utf8.elementsEqual(arguments.mirror.root.utf8)
        else { throw .notInMirror(path: file) }
        return path
    }

    /// Adds the favorites and prints each at once.
    private func makeFavorites(
        of words: [String], with commands: FavoriteCommands
    ) throws -> [Result<[String], any Error>] {
        var names: Set<FavoriteName> = []
        return try commands.makeFavorites(of: words, named: name).map { result in
            result.map { favorite -> [String] in
                // The poster and the page of a video are one favorite.
                guard names.insert(favorite.name).inserted else { return [] }
                let verb = favorite.isNew ? "added" : "already a favorite"
                StandardStream.output.write("\(verb): \(favorite.name.line)\n")
                return [favorite.name.line]
            }
        }
    }

    /// Shows the result by notify-send(1), if that is installed.
    private func notify(_ outcome: Outcome) async {
        let lines = outcome.problems.map(\.message.printableLine) + outcome.done.map { "★ \($0)" }
        let text = lines.limited(to: 6) { "\($0) more" }.joined(separator: "\n")
        // The server of the desktop interprets markup, and notify-send escape sequences; see g_strcompress() of GLib.
        let body = text.printable.replacing("\\", by: "\\\\").htmlEscaped
        let words = [
            "--app-name=apod-mirror", "--icon=emblem-favorite", "--", "APOD favorites", body,
        ]
        _ = await ExternalProgram("notify-send", words, in: arguments.environment["PATH"])?
            .succeeds(within: .seconds(20))
    }
}
