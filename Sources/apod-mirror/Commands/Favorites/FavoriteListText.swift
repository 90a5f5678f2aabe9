import CommandLine
import Favorites
import Platform

/// Formats a ``FavoriteList`` as text, one favorite a line.
struct FavoriteListText {
    let list: FavoriteList

    /// The columns of the terminal, in which no line is longer; `nil` for lines with all of each text.
    let columns: Int?

    var lines: [String] { list.entries.map(line) + list.unrecognized.flatMap(lines) }

    private func line(_ entry: FavoriteList.Entry) -> String {
        let start = "\(entry.favorite.day)  "
        let title = entry.favorite.title?.excerpt ?? "—"
        let names = entry.favorite.names.map(\.line).joined(separator: ", ")
        let state = Self.state(of: entry).map { "  (\($0))" } ?? ""
        guard let columns else { return "\(start)\(title)  \(names)\(state)" }
        // Most names repeat the title: both are cut, the longer one first.
        let room = max(0, columns - start.count - state.count - 2)
        let half = room / 2
        let short =
            title.count <= half ? title : title.cut(to: max(half, room - names.count))
        let rest = names.cut(to: room - short.count)
        return "\(start)\(short)\(rest.isEmpty ? "" : "  \(rest)")\(state)"
    }

    /// `nil` if the favorite is as it should be.
    private static func state(of entry: FavoriteList.Entry) -> String? {
        if let seconds = entry.secondsUntilRemoval {
            return seconds < 1
                ? "removed at the next scan" : "removed in \(TimeText.length(seconds))"
        }
        return entry.state == .kept ? nil : entry.state.rawValue
    }

    private func lines(_ item: UnrecognizedItem) -> [String] {
        let text = "unrecognized: \(item.name.line) \(item.reason.printableLine)"
        return columns.map { text.wrapped(to: $0) } ?? [text]
    }
}

extension String {
    /// The first `count` characters, the last of which is “…” if there are more.
    fileprivate func cut(to count: Int) -> String {
        guard self.count > count else { return self }
        return count > 1 ? "\(prefix(count - 1))…" : ""
    }
}
