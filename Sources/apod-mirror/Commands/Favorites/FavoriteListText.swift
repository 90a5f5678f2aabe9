import CommandLine
import Favorites
import Platform

/// Formats a ``FavoriteList``: `2026-11-20  The Crab Nebula  crab.jpg  (held)`.
struct FavoriteListText {
    let list: FavoriteList
    /// The columns of the terminal, to which each line is cut or wrapped; `nil` for lines of any length.
    let columns: Int?

    var lines: [String] { list.entries.map(line) + list.unrecognized.flatMap(lines) }

    private func line(_ entry: FavoriteList.Entry) -> String {
        let start = "\(entry.favorite.day)  "
        let title = entry.favorite.title?.excerpt ?? "—"
        let names = entry.favorite.names.map(\.line).joined(separator: ", ")
        let state = Self.state(of: entry).map { "  (\($0))" } ?? ""
        guard let columns else {
            return "\(start)\(title)\(names.isEmpty ? "" : "  \(names)")\(state)"
        }
        // The title gets at least half of the room, and more if the names need less. Two blanks separate them.
        let room = max(0, columns - start.count - state.count - 2)
        let shortTitle = title.shortened(to: max(room / 2, room - names.count))
        let shortNames = names.shortened(to: room - shortTitle.count)
        return "\(start)\(shortTitle)\(shortNames.isEmpty ? "" : "  \(shortNames)")\(state)"
    }

    /// `removed in 50 s`, `held` or `wanted`; `nil` if the favorite is as it should be.
    private static func state(of entry: FavoriteList.Entry) -> String? {
        switch entry.removal {
        case .byDaemon(let seconds):
            seconds < 1 ? "removed at the next scan" : "removed in \(TimeText.length(seconds))"
        case .byLaterRun: "removed by a later run"
        case nil: entry.state == .kept ? nil : entry.state.rawValue
        }
    }

    private func lines(_ item: UnrecognizedItem) -> [String] {
        let text = "unrecognized: \(item.name.line) \(item.reason.printableLine)"
        return columns.map { text.wrapped(to: $0) } ?? [text]
    }
}

extension String {
    /// The first `count` characters; “…” is the last of them if there are more.
    fileprivate func shortened(to count: Int) -> String {
        guard self.count > count else { return self }
        return count > 0 ? "\(prefix(count - 1))…" : ""
    }
}
