import APOD
import CommandLine
import Favorites
import FoundationEssentials
import Maintenance
import Mirror
import Platform
import Service
import Thumbnails

/// The text of `apod-mirror status`: ``StatusRow``s about a ``StatusReport``, in the order of the properties below.
struct StatusText {
    let report: StatusReport
    let style: TerminalStyle
    /// Whether all days that lack a file are listed, wanted or not: `--missing`.
    let listsAll: Bool
    /// The columns of the terminal, at which lines are wrapped; `nil` for lines of any length.
    let columns: Int?

    /// The maximum number of missing days, and of damaged files, that are listed by default.
    private static let maximumListed = 3

    var text: TerminalText {
        let mirror = [
            StatusRow("mirror", report.root, mayWrap: false), newest, StatusRow("days", days),
            StatusRow("total", total),
            StatusRow("favorites", favorites), StatusRow("thumbnails", thumbnails),
            StatusRow("size", "\(ByteCount(report.bytes)), \(ByteCount(report.freeBytes)) free"),
        ]
        let service = [running] + runningSync + daemon + syncs
        return
            (mirror + retention + service + verification + unreadable + inTheWay + incompleteDays)
            .map { $0.text(style, columns: columns) }.joined()
    }

    /// `, 3 missing`; empty if `count` is 0.
    private func mention(_ count: Int, _ what: String) -> String {
        count > 0 ? ", \(count) \(what)" : ""
    }

    private func moment(_ date: Date) -> String { TimeText.ago(date, at: report.now) }

    // MARK: The mirror

    private var newest: StatusRow {
        guard let newest = report.newest, let age = report.newestAge else {
            let error = report.doubtAboutNewest.map { "unknown: \($0.description.excerpt)" }
            return StatusRow("newest", error ?? "none yet")
        }
        let text = "\(newest), \(TimeText.length(Double(age))) old\(route)"
        return report.isStale
            ? StatusRow("newest", "\(text): stale", .value(.red)) : StatusRow("newest", text)
    }

    /// `, by the RSS feed; NASA's API fails, first 3 hours ago (04:10): …`; empty if the newest day came from the API.
    private var route: String {
        guard let route = report.newestRoute else { return "" }
        let failure = report.state.apiFailure.map {
            "; NASA's API fails, first \(moment($0.at)): \($0.message.excerpt)"
        }
        return ", by \(route.name)\(failure ?? "")"
    }

    /// Days without a picture at NASA do not count as missing, because nothing can be done about them.
    private var days: String {
        guard !report.unknownParts.contains(.state) else { return "unknown" }
        let wanted = report.wanted
        let counts =
            "\(wanted.withFiles) of \(wanted.count) wanted (--since \(report.state.since))"
            + mention(wanted.unknown.count, "unknown")
        let withoutPicture = wanted.withoutPicture.count
        guard withoutPicture > 0 else { return counts }
        let missing =
            wanted.missing.isEmpty ? "so none is missing" : "\(wanted.missing.count) missing"
        return "\(counts); NASA has no picture for \(withoutPicture), \(missing)"
    }

    private var total: String {
        counted(report.all.withFiles, "day") + mention(report.all.missing.count, "missing")
            + mention(report.all.unknown.count, "unknown")
            + mention(report.all.withoutPicture.count, "without a picture at NASA")
    }

    private var favorites: String {
        guard !report.unknownParts.contains(.favorites) else { return "unknown" }
        let count = report.favorites.values.reduce(0, +)
        let removedSoon = report.favoritesAboutToGo
        let held = (report.favorites[.held] ?? 0) - removedSoon
        let unrecognized = counted(report.unrecognized, "unrecognized item")
        return "\(count)" + mention(removedSoon, "without a link, removed soon")
            + mention(held, "held (link gone)")
            + mention(report.favorites[.wanted] ?? 0, "not downloaded yet")
            + mention(report.favorites[.unknown] ?? 0, "unknown")
            + (report.unrecognized > 0 ? ", \(unrecognized)" : "")
    }

    private var thumbnails: String {
        let count = report.thumbnails
        return "\(count.made)" + mention(count.missing, "missing")
            + mention(count.rejected, "rejected")
    }

    /// What `--keep` removed; empty without `--keep`, unless it removed something before.
    private var retention: [StatusRow] {
        let state = report.state
        guard state.keep != .all || report.removed > 0 else { return [] }
        let from = state.keptFrom.map { " (from \($0))" } ?? ""
        return [
            StatusRow("keep", "\(state.keep)\(from), \(counted(report.removed, "day")) removed")
        ]
    }

    // MARK: The service

    private var running: StatusRow {
        if let failure = report.failureOfService {
            return StatusRow(
                "running", "no: the service has failed: \(failure.excerpt(400))",
                .value(.red))
        }
        if report.isStale, report.hasLostDaemon {
            return StatusRow(
                "running", "no: the daemon has ended, and nothing requests newer days",
                .value(.red))
        }
        return StatusRow("running", report.writer.map { "yes, process \($0)" } ?? "no")
    }

    /// How far the running sync is; empty if there is none, or nothing to request.
    private var runningSync: [StatusRow] {
        guard let sync = report.sync, sync.planned > 0 else { return [] }
        let days = "\(sync.ended) of \(counted(sync.planned, "day"))"
        guard let rate = sync.rate(at: report.now), sync.ended < sync.planned else {
            return [StatusRow("syncing", days)]
        }
        let left = TimeText.length(Double(sync.planned - sync.ended) / rate)
        return [
            StatusRow("syncing", "\(days), \(Int((rate * 60).rounded())) a minute, \(left) left")
        ]
    }

    /// The limit of downloads, and how changes of `favorites/` are detected; empty if no daemon runs.
    private var daemon: [StatusRow] {
        let limit = report.bandwidth.map { [StatusRow("limit rate", "\($0)")] } ?? []
        return switch report.watcher {
        case nil: limit
        case .events: limit + [StatusRow("watcher", "events")]
        case .polling:
            limit
                + [StatusRow("watcher", "polling: \(report.watcherReason ?? "")", .value(.yellow))]
        }
    }

    private var syncs: [StatusRow] {
        var rows: [StatusRow] = []
        if let advice = report.feedAdvice {
            rows.append(StatusRow("feed", advice, .value(.yellow)))
        }
        let suffix = report.hasPolledWithoutNews ? ", and without news since" : ""
        let lastSync = report.lastSuccess.map { moment($0) + suffix }
        let noSync = report.unknownParts.contains(.state) ? "unknown" : "never"
        rows.append(StatusRow("last sync", lastSync ?? noSync))
        if let next = report.nextSync {
            rows.append(StatusRow("next sync", TimeText.ahead(next, of: report.now)))
        }
        if let obstacle = report.obstacle {
            let text = "\(obstacle.kind), \(moment(obstacle.since)): \(obstacle.text.excerpt(400))"
            rows.append(StatusRow("obstacle", text, .value(.red)))
        }
        if let error = report.state.lastError, error.message != report.obstacle?.text {
            rows.append(StatusRow("last error", "\(moment(error.at)): \(error.message.excerpt)"))
        }
        return rows
    }

    /// When files were verified, and what is damaged; empty if none was verified yet.
    private var verification: [StatusRow] {
        let state = report.verification
        var rows: [StatusRow] = []
        if state.lastComplete != nil || state.lastSlice != nil {
            let repaired = state.repaired > 0 ? ", \(counted(state.repaired, "file")) repaired" : ""
            let complete = state.lastComplete.map(moment) ?? "not all files yet"
            rows.append(StatusRow("verified", "\(complete)\(repaired)"))
        }
        rows += state.damage.prefix(Self.maximumListed).map {
            // A file that cannot be read may be undamaged.
            StatusRow(
                $0.kind == .unreadable ? "unreadable" : "damaged", $0.text.excerpt(400),
                .label(.red))
        }
        let more = state.damage.count - Self.maximumListed
        if more > 0 {
            rows.append(StatusRow("", "and \(more) more; “apod-mirror verify” lists all"))
        }
        return rows
    }

    /// Items in the places of generated files, which are therefore not written.
    private var inTheWay: [StatusRow] {
        report.inTheWay.prefix(Self.maximumListed).map {
            StatusRow("in the way", $0, .label(.yellow))
        }
    }

    /// What could not be read, so that the other rows lack what only it says.
    private var unreadable: [StatusRow] {
        let errors = report.unreadable
        let more = errors.count - Self.maximumListed
        return errors.prefix(Self.maximumListed).map {
            StatusRow("unreadable", $0.excerpt(400), .label(.red))
        } + (more > 0 ? [StatusRow("", "and \(more) more; --json lists all")] : [])
    }

    // MARK: Days that lack a file

    private var incompleteDays: [StatusRow] {
        let unknown = rows("unknown", listsAll ? report.all.unknown : report.wanted.unknown)
        let missing = rows("missing", listsAll ? report.all.missing : report.wanted.missing)
        let withoutPicture = listsAll ? rows("no picture", report.all.withoutPicture) : []
        return unknown + missing + withoutPicture + rows("partial", report.partial)
    }

    /// A row for each of the first days, or of all with `--missing`.
    private func rows(_ label: String, _ days: [StatusReport.IncompleteDay]) -> [StatusRow] {
        let listed = listsAll ? days.count : Self.maximumListed
        let more = days.count - listed
        return days.prefix(listed).map { row(label, $0) }
            + (more > 0 ? [StatusRow("", "and \(more) more; --missing lists all")] : [])
    }

    private func row(_ label: String, _ day: StatusReport.IncompleteDay) -> StatusRow {
        // Without a daemon, nothing retries.
        let next = report.writer == nil ? nil : day.next
        let attempt = next.map { ", next attempt \(TimeText.ahead($0, of: report.now))" } ?? ""
        return StatusRow(label, "\(day.day) \(day.reason.excerpt(400))\(attempt)", .label(.yellow))
    }
}

/// A row of `apod-mirror status`: `favorites   12, 1 held (link gone)`.
///
/// A value that is too long for the terminal continues below itself.
struct StatusRow {
    /// The part that has a color.
    enum Emphasis {
        case none
        case label(TerminalStyle.Style)
        case value(TerminalStyle.Style)
    }

    /// The width of the column of labels.
    private static let indent = 12
    /// A value gets so many columns even on a narrower terminal.
    private static let minimumWidth = 20

    private let label: String
    private let value: String
    private let emphasis: Emphasis
    private let mayWrap: Bool

    /// Makes a row; an empty label continues the row above, and a path may not wrap, because people copy it.
    init(
        _ label: String, _ value: String, _ emphasis: Emphasis = .none, mayWrap: Bool = true
    ) {
        (self.label, self.value) = (label, value)
        (self.emphasis, self.mayWrap) = (emphasis, mayWrap)
    }

    /// The row for a terminal with `columns`; `nil` for lines of any length.
    func text(_ style: TerminalStyle, columns: Int?) -> TerminalText {
        let space = String(repeating: " ", count: Self.indent)
        var lines = [value]
        if mayWrap, let columns {
            lines = value.wrapped(to: max(Self.minimumWidth, columns - Self.indent))
        }
        var styledLabel: TerminalText = "\(label)\(space.dropFirst(label.count))"
        var values: [TerminalText] = lines.map { "\($0)" }
        switch emphasis {
        case .none: break
        case .label(let color): styledLabel = style(label, color, width: Self.indent)
        case .value(let color): values = lines.map { style($0, color) }
        }
        return "\(styledLabel)\(values.joined(separator: "\n\(space)"))\n"
    }
}
