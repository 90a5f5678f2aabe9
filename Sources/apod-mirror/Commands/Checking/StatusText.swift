import APOD
import CommandLine
import Favorites
import FoundationEssentials
import Maintenance
import Mirror
import Platform
import Service
import Thumbnails

/// The text of `apod-mirror status`, which says in rows how the mirror and its daemon are: `favorites   12, 1 held (link gone)`.
///
/// Each property below is a row, a group of rows, or the text of a row. They are in the order of the text.
struct StatusText {
    let report: StatusReport
    let style: TerminalStyle
    /// Whether all days that lack a file are listed, wanted or not: `--missing`.
    let listsAll: Bool
    /// The columns of the terminal, at which lines are wrapped; `nil` for lines of any length.
    let columns: Int?

    /// The maximum number of items of one kind that are listed; `--missing` has no limit for days.
    private static let maximumListed = 3

    var text: TerminalText {
        let service = [running] + runningSync + daemon + lastAndNextSync
        let problems = unreadable + unwritten + inTheWay + incompleteDays
        let rows = mirror + retention + service + verification + problems
        return rows.map { $0.text(style, columns: columns) }.joined()
    }

    /// `, 3 missing`; empty if `count` is 0.
    private func countIfAny(_ count: Int, _ what: String) -> String {
        count > 0 ? ", \(count) \(what)" : ""
    }

    /// A row for each of the first `items`, and one that counts the others and ends with `rest`.
    private func list<Item>(
        _ items: [Item], rest: String, _ row: (Item) -> StatusRow
    ) -> [StatusRow] {
        let more = items.count - Self.maximumListed
        return items.prefix(Self.maximumListed).map(row)
            + (more > 0 ? [StatusRow("", "and \(more) more; \(rest)")] : [])
    }

    private func ago(_ date: Date) -> String { TimeText.ago(date, at: report.now) }

    // MARK: The mirror

    private var mirror: [StatusRow] {
        [
            StatusRow("mirror", report.root.printableLine, mayWrap: false), newest,
            StatusRow("days", days), StatusRow("total", total),
            StatusRow("favorites", favorites), StatusRow("thumbnails", thumbnails),
            StatusRow(
                "size", "\(ByteCount(report.sizes.media)), \(ByteCount(report.sizes.free)) free"),
        ]
    }

    private var newest: StatusRow {
        guard let newest = report.days.newest, let age = report.newestAge else {
            let error = report.days.newestError.map { "unknown: \($0.description.excerpt)" }
            return StatusRow("newest", error ?? "none yet")
        }
        let text = "\(newest), \(TimeText.length(Double(age))) old\(route)"
        guard report.isStale else { return StatusRow("newest", text) }
        return StatusRow("newest", "\(text): stale", .value(.red))
    }

    /// By which other route the newest day came; empty if it came from the API.
    ///
    /// `, by the RSS feed; NASA's API fails, first 3 hours ago (04:10): …`
    private var route: String {
        guard let route = report.newestRoute else { return "" }
        let failure = report.state.apiFailure.map {
            "; NASA's API fails, first \(ago($0.at)): \($0.message.excerpt)"
        }
        return ", by \(route.name)\(failure ?? "")"
    }

    /// How many wanted days are here: `29 of 30 wanted (--since 30d); NASA has no picture for 1, so none is missing`.
    ///
    /// Days without a picture at NASA do not count as missing, because nothing can be done about them.
    private var days: String {
        guard !report.unknownParts.contains(.state) else { return "unknown" }
        let wanted = report.days.wanted
        var text = "\(wanted.withFiles) of \(wanted.count) wanted (--since \(report.state.since))"
        text += countIfAny(wanted.unknown.count, "unknown")
        guard !wanted.withoutPicture.isEmpty else { return text }
        text += "; NASA has no picture for \(wanted.withoutPicture.count)"
        let missing = wanted.missing.count
        return text + (missing == 0 ? ", so none is missing" : ", \(missing) missing")
    }

    private var total: String {
        let days = report.days.all
        return counted(days.withFiles, "day") + countIfAny(days.missing.count, "missing")
            + countIfAny(days.unknown.count, "unknown")
            + countIfAny(days.withoutPicture.count, "without a picture at NASA")
    }

    private var favorites: String {
        guard !report.unknownParts.contains(.favorites) else { return "unknown" }
        let counts = report.favorites
        func count(_ state: FavoriteList.State) -> Int { counts.byState[state] ?? 0 }
        var text = "\(counts.byState.values.reduce(0, +))"
        // A favorite whose link is gone is held: it is removed only later, or not at all.
        text += countIfAny(counts.toBeRemoved, "without a link, to be removed")
        text += countIfAny(count(.held) - counts.toBeRemoved, "held (link gone)")
        text += countIfAny(count(.wanted), "not downloaded yet")
        text += countIfAny(count(.unknown), "unknown")
        guard counts.unrecognized > 0 else { return text }
        return "\(text), \(counted(counts.unrecognized, "unrecognized item"))"
    }

    private var thumbnails: String {
        let count = report.thumbnails
        return "\(count.made)" + countIfAny(count.missing, "missing")
            + countIfAny(count.rejected, "rejected")
    }

    /// What `--keep` removed; empty without `--keep`, unless it removed something before.
    private var retention: [StatusRow] {
        let state = report.state
        guard state.keep != .all || report.days.removedCount > 0 else { return [] }
        let from = state.keptFrom.map { " (from \($0))" } ?? ""
        let removed = counted(report.days.removedCount, "day")
        return [StatusRow("keep", "\(state.keep)\(from), \(removed) removed")]
    }

    // MARK: The service

    private var running: StatusRow {
        if let failure = report.failureOfService {
            let text = "no: the service has failed: \(failure.longExcerpt)"
            return StatusRow("running", text, .value(.red))
        }
        if let process = report.daemonOfExchangedMirror {
            let text =
                "no: the mirror was exchanged while process \(process) used it, as by a restore;"
                + " start that process again"
            return StatusRow("running", text, .value(.red))
        }
        if report.isStale, report.hasLostDaemon {
            let text = "no: the daemon has ended, and nothing requests newer days"
            return StatusRow("running", text, .value(.red))
        }
        guard let writer = report.writer else { return StatusRow("running", "no") }
        return StatusRow(
            "running", writer.knownProcess.map { "yes, process \($0)" } ?? "yes")
    }

    /// How far the running sync is; empty if there is none, or nothing to request.
    private var runningSync: [StatusRow] {
        guard let sync = report.sync, sync.planned > 0 else { return [] }
        let days = "\(sync.ended) of \(counted(sync.planned, "day"))"
        guard let rate = sync.rate(at: report.now), sync.ended < sync.planned else {
            return [StatusRow("syncing", days)]
        }
        let daysPerMinute = Int((rate * 60).rounded())
        let left = TimeText.length(Double(sync.planned - sync.ended) / rate)
        return [StatusRow("syncing", "\(days), \(daysPerMinute) a minute, \(left) left")]
    }

    /// The limit of downloads, and how changes of `favorites/` are detected; empty if no daemon runs.
    private var daemon: [StatusRow] {
        var rows: [StatusRow] = []
        if let limit = report.bandwidth { rows.append(StatusRow("limit rate", "\(limit)")) }
        switch report.watcher {
        case nil: break
        case .events: rows.append(StatusRow("watcher", "events"))
        case .polling:
            let text = "polling: \(report.watcherReason ?? "")"
            rows.append(StatusRow("watcher", text, .value(.yellow)))
        }
        return rows
    }

    /// When the last sync was and the next one is, and what is wrong with them.
    private var lastAndNextSync: [StatusRow] {
        var rows: [StatusRow] = []
        if let advice = report.feedAdvice {
            rows.append(StatusRow("feed", advice, .value(.yellow)))
        }
        rows.append(StatusRow("last sync", lastSync))
        if let next = report.nextSync {
            rows.append(StatusRow("next sync", TimeText.ahead(next, of: report.now)))
        }
        if let obstacle = report.obstacle {
            let text = "\(obstacle.kind), \(ago(obstacle.since)): \(obstacle.text.longExcerpt)"
            rows.append(StatusRow("obstacle", text, .value(.red)))
        }
        if let error = report.state.lastError, error.message != report.obstacle?.text {
            rows.append(StatusRow("last error", "\(ago(error.at)): \(error.message.excerpt)"))
        }
        return rows
    }

    private var lastSync: String {
        guard let time = report.lastSuccess else {
            return report.unknownParts.contains(.state) ? "unknown" : "never"
        }
        return ago(time) + (report.hasPolledWithoutNews ? ", and without news since" : "")
    }

    /// When files were verified, and what is damaged; empty if none was verified yet.
    private var verification: [StatusRow] {
        let state = report.verification
        var rows: [StatusRow] = []
        if state.lastComplete != nil || state.lastSlice != nil {
            let repaired = state.repaired > 0 ? ", \(counted(state.repaired, "file")) repaired" : ""
            let complete = state.lastComplete.map(ago) ?? "not all files yet"
            rows.append(StatusRow("verified", "\(complete)\(repaired)"))
        }
        rows += list(state.damage, rest: "“apod-mirror verify” lists all") {
            // A file that cannot be read may be undamaged.
            let label = $0.kind == .unreadable ? "unreadable" : "damaged"
            return StatusRow(label, $0.text.longExcerpt, .label(.red))
        }
        return rows
    }

    // MARK: Problems

    /// What could not be read, so that other rows may be incomplete.
    private var unreadable: [StatusRow] {
        list(report.unreadable, rest: "--json lists all") {
            StatusRow("unreadable", $0.longExcerpt, .label(.red))
        }
    }

    /// What could not be written, although the days could.
    private var unwritten: [StatusRow] {
        report.failures.map {
            StatusRow("unwritten", "\(ago($0.at)): \($0.message.longExcerpt)", .label(.red))
        }
    }

    /// Items in the places of generated files, which are therefore not written.
    private var inTheWay: [StatusRow] {
        list(report.inTheWay, rest: "--json lists all") {
            StatusRow("in the way", $0, .label(.yellow))
        }
    }

    // MARK: Days that lack a file

    private var incompleteDays: [StatusRow] {
        let days = listsAll ? report.days.all : report.days.wanted
        let withoutPicture = listsAll ? rows("no picture", days.withoutPicture) : []
        return rows("unknown", days.unknown) + rows("missing", days.missing) + withoutPicture
            + rows("partial", report.days.partial)
    }

    /// A row for each of the first days, or of all with `--missing`.
    private func rows(_ label: String, _ days: [StatusReport.IncompleteDay]) -> [StatusRow] {
        listsAll
            ? days.map { row(label, $0) }
            : list(days, rest: "--missing lists all") { row(label, $0) }
    }

    private func row(_ label: String, _ day: StatusReport.IncompleteDay) -> StatusRow {
        // Without a daemon, nothing retries.
        let next = report.writer == nil ? nil : day.retry?.next
        let attempt = next.map { ", next attempt \(TimeText.ahead($0, of: report.now))" } ?? ""
        return StatusRow(label, "\(day.day) \(day.reason.longExcerpt)\(attempt)", .label(.yellow))
    }
}

extension String {
    /// An excerpt of a message that says in the end what to do.
    fileprivate var longExcerpt: String { excerpt(400) }
}
