internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform
internal import Transfer

/// What a ``StatusReport`` says, in figures for node_exporter's textfile collector.
///
/// Moments are there as moments, too, which stay true while the file lies there. A figure that is not
/// known is left out, not zero.
package struct Metrics {
    private let report: StatusReport

    package init(_ report: StatusReport) {
        self.report = report
    }

    /// In the exposition format of Prometheus.
    package var text: String {
        // With two mirrors on one machine: node_exporter takes no sample twice.
        var page = Prometheus(origin: ("root", report.root))
        addFreshness(to: &page)
        addDays(to: &page)
        addFavorites(to: &page)
        addTraffic(to: &page)
        addMachine(to: &page)
        return page.text
    }

    private static func name(_ rest: String) -> String { "apod_mirror_\(rest)" }

    private static func seconds(_ date: Date?) -> Int? {
        date.map { Int($0.timeIntervalSince1970) }
    }

    private func addFreshness(to page: inout Prometheus) {
        page.add(
            Self.name("newest_day_timestamp_seconds"), .gauge,
            "When the newest day that is here began in Greenwich.",
            report.newest.map { $0.number * 86_400 })
        page.add(
            Self.name("newest_age_seconds"), .gauge,
            "Time since then, at the moment this was written.", report.newestAge)
        page.add(
            Self.name("stale"), .gauge,
            "Whether the newest day is older than two days though NASA is not silent.",
            report.isStale ? 1 : 0)
        page.add(
            Self.name("last_success_timestamp_seconds"), .gauge,
            "When NASA was last reached.", Self.seconds(report.lastSuccess))
        page.add(
            Self.name("last_error_timestamp_seconds"), .gauge,
            "When something last went wrong.", Self.seconds(report.state.lastError?.at))
        page.add(
            Self.name("next_look_timestamp_seconds"), .gauge,
            "When the daemon looks at NASA next.", Self.seconds(report.nextLook))
    }

    private func addDays(to page: inout Prometheus) {
        page.add(Self.name("wanted"), .gauge, "Days that are wanted.", report.wanted)
        page.add(
            Self.name("complete"), .gauge, "Wanted days that are here.", report.complete)
        page.add(
            Self.name("missing"), .gauge, "Wanted days that are not here.",
            report.missing.count)
        page.add(
            Self.name("no_picture"), .gauge,
            "Wanted days for which NASA published no picture.", report.withoutPicture.count)
        let total = report.total
        page.add(
            Self.name("days"), .gauge, "Days of the whole mirror, wanted or not.",
            [
                .init(total.complete, ("state", "complete")),
                .init(total.missing.count, ("state", "missing")),
                .init(total.withoutPicture.count, ("state", "no_picture")),
            ])
    }

    private func addFavorites(to page: inout Prometheus) {
        page.add(
            Self.name("favorites"), .gauge,
            "Favorites: kept, held (their links are gone), wanted (not here yet).",
            ["kept", "held", "wanted"].map { state in
                .init(report.favorites[state] ?? 0, ("state", state))
            })
        page.add(
            Self.name("unrecognized"), .gauge, "Items in favorites/ that name no day.",
            report.notUnderstood)
        guard let watcher = report.watcher else { return }
        page.add(
            Self.name("watcher_mode"), .gauge, "How the daemon notices changes of favorites/.",
            MetricsSnapshot.Watcher.allCases.map { mode in
                .init(mode == watcher ? 1 : 0, ("mode", mode.rawValue))
            })
    }

    private func addTraffic(to page: inout Prometheus) {
        let count = report.vitals?.count ?? TransferMetrics.Count()
        page.add(Self.name("requests_total"), .counter, "Requests to servers.", count.requests)
        page.add(
            Self.name("received_bytes_total"), .counter, "Bytes of answers.", count.bytes)
        page.add(
            Self.name("failures_total"), .counter,
            "What went wrong between the servers and the disk.",
            TransferMetrics.Failure.allCases.map { kind in
                .init(count.failures[kind] ?? 0, ("kind", kind.rawValue))
            })
    }

    private func addMachine(to page: inout Prometheus) {
        page.add(
            Self.name("size_bytes"), .gauge, "Bytes of pictures, videos and records.",
            report.bytes)
        page.add(
            Self.name("free_bytes"), .gauge, "Bytes that may still be written on the disk.",
            report.freeBytes)
        page.add(
            Self.name("build_info"), .gauge, "The program that wrote this.",
            [.init(1, ("version", Version.current))])
    }
}
