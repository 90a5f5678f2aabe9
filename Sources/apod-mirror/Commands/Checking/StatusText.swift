import CommandLine
import FoundationEssentials
import Mirror
import Platform
import Service
import Thumbnails

/// Formats a ``StatusReport`` as text.
struct StatusText {
    let report: StatusReport
    let style: TerminalStyle

    /// Whether all missing days are listed.
    let listsAll: Bool

    /// The maximum number of missing days that are listed by default.
    private static let maximumMissing = 3

    var text: TerminalText {
        let lines: [TerminalText] =
            [
                "mirror      \(report.root)",
                "newest      \(newest)",
                "days        \(days)",
                "total       \(total)",
                "favorites   \(favorites)",
                "thumbnails  \(thumbnails)",
                "size        \(ByteCount(report.bytes)), \(ByteCount(report.freeBytes)) free",
            ] + retention + [
                "running     \(report.running.map { "yes, process \($0)" } ?? "no")"
            ] + daemon + syncs + verification + missing
        return "\(lines.joined(separator: "\n"))\n"
    }

    private var days: String {
        "\(report.complete) of \(report.wanted) wanted (--since \(report.state.since))"
    }

    private var newest: TerminalText {
        guard let newest = report.newest, let age = report.newestAge else { return "none yet" }
        let text = "\(newest), \(Self.words(for: age)) old"
        return report.isStale ? style("\(text): stale", .red) : "\(text)"
    }

    private var total: String {
        let (days, missing) = (report.total.complete, report.total.missing.count)
        let none = report.total.withoutPicture.count
        return "\(days) \(days == 1 ? "day" : "days")\(missing > 0 ? ", \(missing) missing" : "")"
            + (none > 0 ? ", \(none) for which NASA published no picture" : "")
    }

    private var favorites: String {
        let count = report.favorites.values.reduce(0, +)
        let held = report.favorites["held"].map { ", \($0) held (link gone)" } ?? ""
        let wanted = report.favorites["wanted"].map { ", \($0) not downloaded yet" } ?? ""
        let unrecognized = report.unrecognized
        return
            "\(count)\(held)\(wanted)\(unrecognized > 0 ? ", \(counted(unrecognized, "unrecognized item"))" : "")"
    }

    private var thumbnails: String {
        let count = report.thumbnails
        let missing = count.missing > 0 ? ", \(count.missing) missing" : ""
        let rejected = count.rejected > 0 ? ", \(count.rejected) rejected" : ""
        return "\(count.complete)\(missing)\(rejected)"
    }

    /// What `--keep` removed; empty without it.
    private var retention: [TerminalText] {
        let (state, trash) = (report.state, report.trashBytes)
        guard state.keep != .all || report.removed > 0 || trash > 0 else { return [] }
        let from = state.keptFrom.map { " (from \($0))" } ?? ""
        return [
            "keep        \(state.keep)\(from), \(counted(report.removed, "day")) removed"
                + (trash > 0 ? ", \(ByteCount(trash)) in the trash" : "")
        ]
    }

    private var daemon: [TerminalText] {
        guard let watcher = report.watcher else { return [] }
        return switch watcher {
        case .events: ["watcher     events"]
        case .polling:
            ["watcher     \(style("polling: \(report.watcherReason ?? "")", .yellow))"]
        }
    }

    private var syncs: [TerminalText] {
        var lines: [TerminalText] = ["last sync   \(report.lastSuccess.map(moment) ?? "never")"]
        if let next = report.nextSync { lines.append("next sync   \(next.timestamp)") }
        if let error = report.state.lastError {
            lines.append("last error  \(moment(error.at)) \(error.message.excerpt)")
        }
        return lines
    }

    private var verification: [TerminalText] {
        let state = report.verification
        var lines: [TerminalText] = []
        if state.lastComplete != nil || state.lastSlice != nil {
            let repaired = state.repaired > 0 ? ", \(counted(state.repaired, "file")) repaired" : ""
            let complete = state.lastComplete.map(moment) ?? "not all files yet"
            lines.append("verified    \(complete)\(repaired)")
        }
        lines += state.damage.prefix(Self.maximumMissing).map {
            "\(style("damaged", .red, width: 12))\($0.text.excerpt(400))"
        }
        if state.damage.count > Self.maximumMissing {
            lines.append(
                "            and \(state.damage.count - Self.maximumMissing) more; “apod-mirror verify” lists all"
            )
        }
        return lines
    }

    private var missing: [TerminalText] {
        guard !listsAll else {
            return report.total.missing.map { line("missing", $0) }
                + report.total.withoutPicture.map { line("no picture", $0) }
        }
        var lines = report.missing.prefix(Self.maximumMissing).map { line("missing", $0) }
        if report.missing.count > Self.maximumMissing {
            lines.append(
                "            and \(report.missing.count - Self.maximumMissing) more; --missing lists all"
            )
        }
        return lines
    }

    private func line(_ label: String, _ day: StatusReport.Missing) -> TerminalText {
        // Only a daemon retries.
        let next = report.running == nil ? nil : day.next.map { ", next attempt \($0.timestamp)" }
        return "\(style(label, .yellow, width: 12))\(day.day) \(day.reason.excerpt)\(next ?? "")"
    }

    /// `2026-11-20T04:10:00Z (3 hours ago)`.
    private func moment(_ date: Date) -> String {
        let age = Int(report.now.timeIntervalSince(date))
        return "\(date.timestamp) (\(age < 0 ? "in the future" : "\(Self.words(for: age)) ago"))"
    }

    private static func words(for seconds: Int) -> String {
        switch max(seconds, 0) {
        case let age where age < 120: "\(age) s"
        case let age where age < 7200: "\(age / 60) minutes"
        case let age where age < 172_800: "\(age / 3600) hours"
        case let age: "\(age / 86_400) days"
        }
    }
}
