import FoundationEssentials
import JSON
import Mirror
import Platform

/// Formats a ``DayHistory`` as text and JSON, for `apod-mirror history`.
///
///     2026-11-20  The Crab Nebula
///       revision 2, 2026-11-21T05:10:00Z, current
///         title: “Crab” -> “The Crab Nebula”
struct HistoryText {
    private let history: DayHistory
    private let revisions: [DayHistory.Revision]

    /// Selects the edits at `since` or later; if `since` is `nil`, all revisions: the first one is no edit.
    init(_ history: DayHistory, since: Date?) {
        self.history = history
        revisions =
            since.map { since in
                history.revisions.dropFirst().filter { $0.record.fetched >= since }
            } ?? history.revisions
    }

    var isEmpty: Bool { revisions.isEmpty }
    /// Which revisions cannot be read, as sentences.
    var notes: [String] { history.notes }

    // MARK: JSON

    var json: JSON {
        [
            "date": .string("\(history.day)"), "title": .string(title),
            "revisions": .array(revisions.map(Self.json)),
        ]
    }

    private static func json(_ revision: DayHistory.Revision) -> JSON {
        [
            "revision": .integer(revision.record.revision),
            "fetched": .string(revision.record.fetched.timestamp),
            "current": .bool(revision.isCurrent), "record": .string(revision.path),
            "files": .array(revision.files.map(JSON.string)),
            "changes": .array(
                revision.changes.map { change in
                    [
                        "field": .string(change.name), "before": change.before ?? .null,
                        "after": change.after ?? .null,
                    ]
                }),
        ]
    }

    // MARK: Text

    private var title: String { history.revisions.last?.record.entry.title ?? "" }

    var text: String {
        let lines = revisions.flatMap(lines)
        return (["\(history.day)  \(title.excerpt)"] + lines).joined(separator: "\n") + "\n"
    }

    private func lines(of revision: DayHistory.Revision) -> [String] {
        let mark = revision.isCurrent ? ", current" : ""
        var lines = [
            "  revision \(revision.record.revision), \(revision.record.fetched.timestamp)\(mark)"
        ]
        for change in revision.changes {
            let before = Self.text(of: change.before, comparedTo: change.after)
            let after = Self.text(of: change.after, comparedTo: change.before)
            lines.append("    \(change.name): \(before) -> \(after)")
        }
        // The files of the current revision are those that `show` prints.
        if !revision.isCurrent {
            lines += ([revision.path] + revision.files).map { "    \($0)" }
        }
        return lines
    }

    /// The shortened value of a changed field, from where it differs.
    private static func text(of value: JSON?, comparedTo other: JSON?) -> String {
        guard let value else { return "none" }
        guard let text = value.string else { return summary(of: value).excerpt(60) }
        let start = zip(text, other?.string ?? "").prefix { $0 == $1 }.count
        // Some characters before the difference show where it is.
        let shown = start > 20 ? "…\(text.dropFirst(start - 15))" : text
        return "“\(shown.excerpt(60))”"
    }

    /// A value that is not a text: of a picture its size, of another object its texts.
    private static func summary(of value: JSON) -> String {
        if let width = value["width"]?.integer, let height = value["height"]?.integer,
            let bytes = value["bytes"]?.integer, let sha256 = value["sha256"]?.string
        {
            let removed = value["removed"]?.string.map { ", removed \($0)" } ?? ""
            return "\(width) x \(height), \(ByteCount(bytes)), \(sha256.prefix(8))\(removed)"
        }
        let fields = value.members.compactMap { $0.value.string }
        return fields.isEmpty ? value.line : fields.joined(separator: ", ")
    }
}
