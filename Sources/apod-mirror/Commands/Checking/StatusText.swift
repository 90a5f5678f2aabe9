import APOD
import CommandLine
import Favorites
import FoundationEssentials
import Maintenance
import Mirror
import Platform
import Service
import Thumbnails

/// Formats a ``StatusReport`` as text, for `apod-mirror status`.
struct StatusText {
    let report: StatusReport
    let style: TerminalStyle

    /// Whether all days that lack a file are listed, also those that are not wanted: `--missing`.
    let listsAll: Bool

    /// The columns of the terminal, at which lines are wrapped; `nil` for lines of any length.
    let columns: Int?

    /// The maximum number of missing days, and of damaged files, that are listed by default.
    private static let maximumListed = 3

    var text: TerminalText {
        let rows: [Row] =
            [
                Row("mirror", report.root, isPath: true),
                newest,
                Row("days", days),
                Row("total", total),
                Row("favorites", favorites),
                Row("thumbnails", thumbnails),
                Row("size", "\(ByteCount(report.bytes)), \(ByteCount(report.freeBytes)) free"),
            ] + retention + [running] + sync + daemon + syncs + verification + missing
        return rows.map { $0.text(style, columns) }.joined()
    }

    /// A label and its value, which continues below itself on a narrow terminal.
    private struct Row {
        /// The width of the column of labels.
        static let indent = 12

        /// The columns that a value gets on the narrowest terminal.
        static let minimumWidth = 20

        let label: String
        let value: String
        /// A path is never wrapped.
        let isPath: Bool
        let labelStyle: TerminalStyle.Style?
        let valueStyle: TerminalStyle.Style?

        init(
            _ label: String, _ value: String, isPath: Bool = false,
            labelStyle: TerminalStyle.Style? = nil, valueStyle: TerminalStyle.Style? = nil
        ) {
            self.label = label
            self.value = value
            self.isPath = isPath
            self.labelStyle = labelStyle
            self.valueStyle = valueStyle
        }

        func text(_ style: TerminalStyle, _ columns: Int?) -> TerminalText {
            let space = String(repeating: " ", count: Self.indent)
            let width = columns.map { max(Self.minimumWidth, $0 - Self.indent) }
            let lines = width.flatMap { isPath ? nil : value.wrapped(to: $0) } ?? [value]
            let values = lines.map { line in valueStyle.map { style(line, $0) } ?? "\(line)" }
            let padding = space.dropFirst(label.count)
            let first: TerminalText =
                labelStyle.map { style(label, $0, width: Self.indent) } ?? "\(label)\(padding)"
            return "\(first)\(values.joined(separator: "\n\(space)"))\n"
        }
    }

    private var running: Row {
        if let failure = report.failureOfService {
            return Row(
                "running", "no: the service has failed: \(failure.excerpt(400))",
                valueStyle: .red)
        }
        if report.isStale, report.hasLostDaemon {
            return Row(
                "running", "no: the daemon has ended, and nothing requests newer days",
                valueStyle: .red)
        }
        return Row("running", report.writer.map { "yes, process \($0)" } ?? "no")
    }

    /// How far the running sync is; empty if there is none, or nothing to request.
    private var sync: [Row] {
        guard let sync = report.sync, sync.planned > 0 else { return [] }
        let days = "\(sync.ended) of \(counted(sync.planned, "day"))"
        guard let rate = sync.rate(at: report.now), sync.ended < sync.planned else {
            return [Row("syncing", days)]
        }
        let left = TimeText.length(Double(sync.planned - sync.ended) / rate)
        return [Row("syncing", "\(days), \(Int((rate * 60).rounded())) a minute, \(left) left")]
    }

    /// Days without a picture at NASA are not missing: nothing can be done about them, and the exit code is 0.
    private var days: String {
        let (wanted, since) = (report.wanted, report.state.since)
        let counts = "\(wanted.withFiles) of \(wanted.count) wanted (--since \(since))"
        let withoutPicture = wanted.withoutPicture.count
        guard withoutPicture > 0 else { return counts }
        let rest = wanted.missing.isEmpty ? "so none is missing" : "\(wanted.missing.count) missing"
        return "\(counts); NASA has no picture for \(withoutPicture), \(rest)"
    }

    private var newest: Row {
        guard let newest = report.newest, let age = report.newestAge else {
            return Row(
                "newest",
                report.readError.map { "unknown: \($0.description.excerpt)" } ?? "none yet")
        }
        let text = "\(newest), \(TimeText.length(Double(age))) old\(route)"
        return report.isStale
            ? Row("newest", "\(text): stale", valueStyle: .red) : Row("newest", text)
    }

    /// By which other route than NASA's API the newest day came, and why; empty if it came from there.
    private var route: String {
        guard let route = report.newestRoute else { return "" }
        let failure = report.state.apiFailure.map {
            "; NASA's API fails, first \(moment($0.at)): \($0.message.excerpt)"
        }
        return ", by \(route.name)\(failure ?? "")"
    }

    private var total: String {
        let missing = report.all.missing.count
        let withoutPicture = report.all.withoutPicture.count
        return counted(report.all.withFiles, "day") + (missing > 0 ? ", \(missing) missing" : "")
            + (withoutPicture > 0 ? ", \(withoutPicture) without a picture at NASA" : "")
    }

    private var favorites: String {
        let count = report.favorites.values.reduce(0, +)
        let leaving = report.favoritesAboutToGo
        let kept = (report.favorites[.held] ?? 0) - leaving
        let held =
            (leaving > 0 ? ", \(leaving) without a link, removed soon" : "")
            + (kept > 0 ? ", \(kept) held (link gone)" : "")
        let wanted = report.favorites[.wanted].map { ", \($0) not downloaded yet" } ?? ""
        let unrecognized = counted(report.unrecognized, "unrecognized item")
        return "\(count)\(held)\(wanted)" + (report.unrecognized > 0 ? ", \(unrecognized)" : "")
    }

    private var thumbnails: String {
        let count = report.thumbnails
        let missing = count.missing > 0 ? ", \(count.missing) missing" : ""
        let rejected = count.rejected > 0 ? ", \(count.rejected) rejected" : ""
        return "\(count.made)\(missing)\(rejected)"
    }

    /// What `--keep` removed; empty if nothing is set and nothing was removed.
    private var retention: [Row] {
        let state = report.state
        guard state.keep != .all || report.removed > 0 else { return [] }
        let from = state.keptFrom.map { " (from \($0))" } ?? ""
        return [Row("keep", "\(state.keep)\(from), \(counted(report.removed, "day")) removed")]
    }

    /// The limit of downloads, and how changes of `favorites/` are detected; empty if no daemon runs.
    private var daemon: [Row] {
        let limit = report.bandwidth.map { [Row("limit rate", "\($0)")] } ?? []
        return switch report.watcher {
        case nil: limit
        case .events: limit + [Row("watcher", "events")]
        case .polling:
            limit
                + [Row("watcher", "polling: \(report.watcherReason ?? "")", valueStyle: .yellow)]
        }
    }

    private var syncs: [Row] {
        var rows = report.feedAdvice.map { [Row("feed", $0, valueStyle: .yellow)] } ?? []
        let quiet = report.hasPolledWithoutNews ? ", and without news since" : ""
        rows += [Row("last sync", report.lastSuccess.map { moment($0) + quiet } ?? "never")]
        if let next = report.nextSync {
            rows.append(Row("next sync", TimeText.ahead(next, of: report.now)))
        }
        if let obstacle = report.obstacle {
            let text = "\(obstacle.kind), \(moment(obstacle.since)): \(obstacle.text.excerpt(400))"
            rows.append(Row("obstacle", text, valueStyle: .red))
        }
        if let error = report.state.lastError, error.message != report.obstacle?.text {
            rows.append(Row("last error", "\(moment(error.at)): \(error.message.excerpt)"))
        }
        return rows
    }

    private var verification: [Row] {
        let state = report.verification
        var rows: [Row] = []
        if state.lastComplete != nil || state.lastSlice != nil {
            let repaired = state.repaired > 0 ? ", \(counted(state.repaired, "file")) repaired" : ""
            let complete = state.lastComplete.map(moment) ?? "not all files yet"
            rows.append(Row("verified", "\(complete)\(repaired)"))
        }
        rows += state.damage.prefix(Self.maximumListed).map {
            Row("damaged", $0.text.excerpt(400), labelStyle: .red)
        }
        let more = state.damage.count - Self.maximumListed
        if more > 0 { rows.append(Row("", "and \(more) more; “apod-mirror verify” lists all")) }
        return rows
    }

    private var missing: [Row] {
        let missing = rows("missing", listsAll ? report.all.missing : report.wanted.missing)
        let withoutPicture = listsAll ? rows("no picture", report.all.withoutPicture) : []
        return missing + withoutPicture + rows("partial", report.partial)
    }

    /// The first of these days, or all with `--missing`.
    private func rows(_ label: String, _ days: [StatusReport.IncompleteDay]) -> [Row] {
        let listed = listsAll ? days.count : Self.maximumListed
        let more = days.count - listed
        return days.prefix(listed).map { row(label, $0) }
            + (more > 0 ? [Row("", "and \(more) more; --missing lists all")] : [])
    }

    private func row(_ label: String, _ day: StatusReport.IncompleteDay) -> Row {
        // Nothing retries unless the mirror is in use.
        let next = report.writer == nil ? nil : day.next
        let attempt = next.map { ", next attempt \(TimeText.ahead($0, of: report.now))" } ?? ""
        return Row(label, "\(day.day) \(day.reason.excerpt)\(attempt)", labelStyle: .yellow)
    }

    private func moment(_ date: Date) -> String { TimeText.ago(date, at: report.now) }
}
