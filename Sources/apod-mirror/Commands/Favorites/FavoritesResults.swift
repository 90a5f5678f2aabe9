import APOD
import CommandLine
import Favorites
import Platform

/// What `apod-mirror favorites add|remove|restore` has done, and what it could not do.
///
/// ``FavoritesCommand`` adds each result when it is known, and prints all of them at its end.
struct FavoritesResults {
    /// For standard output.
    private var lines: [String] = []
    /// The names of the added favorites, for the notification.
    private var added: [String] = []
    /// Why favorites could not be changed, or the command ended.
    private var problems: [CommandError] = []

    /// The code of the first problem.
    var exitCode: ExitCode { problems.first?.code ?? .done }

    private var messages: [String] { problems.map(\.message.printableLine) }

    // MARK: Adding results

    mutating func add(problem: any Error) { problems.append(CommandError(problem)) }

    mutating func add(added changes: [Result<FavoriteCommands.AddedFavorite, any Error>]) {
        var names: Set<FavoriteName> = []
        for favorite in successes(among: changes) {
            // The user may have named one favorite twice, for example by the poster and by the page of a video.
            guard names.insert(favorite.name).inserted else { continue }
            let line = favorite.name.line
            addLine(favorite.isNew ? "added" : "already a favorite", [line])
            added.append(favorite.isNew ? line : "\(line) (was a favorite already)")
        }
    }

    mutating func add(removed changes: [Result<FavoriteCommands.Removal, any Error>]) {
        let removals = successes(among: changes)
        removals.compactMap(\.failure).forEach { add(problem: $0) }
        let items = removals.flatMap { removal -> [String] in
            guard !removal.names.isEmpty else { return ["\(removal.day), which had no link"] }
            let delay = removal.isDelayed ? " (no favorite any more after a minute)" : ""
            return removal.names.map { $0.line + delay }
        }
        addLine("removed", items)
    }

    /// Adds the days of all held favorites, which were removed together.
    mutating func add(removedDays: [Day]) { addLine("removed", removedDays.map(\.description)) }

    mutating func add(restored changes: [Result<[FavoriteName], any Error>]) {
        addLine("restored", successes(among: changes).flatMap { $0.map(\.line) })
    }

    /// Adds a line for each of the `removed` favorites, which a later command can restore.
    mutating func add(restorable removed: [RemovedFavorite]) {
        guard !removed.isEmpty else { return }
        lines.append(
            "removed in the last 30 days; “apod-mirror favorites restore DAY” restores one:")
        for item in removed {
            let favorite = item.favorite
            let date = item.removed.map { "removed \($0)" } ?? "removed at an unknown time"
            let names = favorite.names.map(\.line).joined(separator: ", ")
            lines.append("\(favorite.day)  \(date)  \(favorite.title?.excerpt ?? "—")  \(names)")
        }
    }

    /// Adds the errors among `changes` to the problems; returns the others.
    private mutating func successes<Success>(
        among changes: [Result<Success, any Error>]
    ) -> [Success] {
        var successes: [Success] = []
        for change in changes {
            switch change {
            case .success(let success): successes.append(success)
            case .failure(let error): add(problem: error)
            }
        }
        return successes
    }

    /// Adds the line `removed: a.jpg, b.jpg`; without items `removed: none`, unless there is a problem, which says why.
    private mutating func addLine(_ verb: String, _ items: [String]) {
        if !items.isEmpty {
            lines.append("\(verb): \(items.joined(separator: ", "))")
        } else if problems.isEmpty {
            lines.append("\(verb): none")
        }
    }

    // MARK: Showing results

    func print() {
        for line in lines { StandardStream.output.write("\(line)\n") }
        for message in messages { warn(message) }
    }

    /// Shows a notification of the desktop, if the directories of `searchPath` have the program notify-send(1).
    func notify(through searchPath: String?) async {
        let text = (messages + added.map { "★ \($0)" }).limited(to: 6) { "\($0) more" }
            .joined(separator: "\n")
        // The desktop interprets markup, and notify-send interprets backslashes, see g_strcompress() of GLib.
        let body = text.printable.replacing("\\", by: "\\\\").htmlEscaped
        let options = ["--app-name=apod-mirror", "--icon=emblem-favorite"]
        let program = ExternalProgram(
            "notify-send", options + ["--", "APOD favorites", body], in: searchPath)
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
