internal import APOD
internal import Favorites
internal import FoundationEssentials
internal import Maintenance
internal import Mirror
internal import Platform
internal import Transfer

extension StatusReport {
    /// The report as metrics for node_exporter's textfile collector, in the exposition format of Prometheus.
    ///
    /// Ages are given as timestamps, too, which stay true as the file ages. Unknown values are omitted, except
    /// counters, which begin at zero.
    package var metrics: String {
        // The label distinguishes several mirrors on one machine.
        var page = Prometheus(origin: ("root", root))
        addFreshness(to: &page)
        addDays(to: &page)
        addFavorites(to: &page)
        addVerification(to: &page)
        addTraffic(to: &page)
        addMachine(to: &page)
        return page.text
    }

    private static func seconds(_ date: Date?) -> Int? {
        date.map { Int($0.timeIntervalSince1970) }
    }

    private func addFreshness(to page: inout Prometheus) {
        page.add(
            "newest_day_timestamp_seconds", "Start of the newest day that is here, in UTC.",
            Self.seconds(newest?.startInUTC))
        page.add(
            "newest_age_seconds", "Age of the newest day that is here when this file was written.",
            newestAge)
        page.add(
            "stale",
            "Whether the newest day is too old, as exit code 9 of status says.",
            isStale ? 1 : 0)
        page.add(
            "last_success_timestamp_seconds", "Last successful contact with NASA.",
            Self.seconds(lastSuccess))
        page.add(
            "last_error_timestamp_seconds", "Time of the last error.",
            Self.seconds(state.lastError?.at))
        page.add(
            "next_sync_timestamp_seconds", "Time of the next sync.", Self.seconds(nextSync))
    }

    private func addDays(to page: inout Prometheus) {
        page.add("wanted", "Wanted days.", wanted.count)
        page.add("complete", "Wanted days whose picture or video is here.", wanted.withFiles)
        page.add("missing", "Wanted days that are missing.", wanted.missing.count)
        page.add(
            "no_picture", "Wanted days for which NASA published no picture.",
            wanted.withoutPicture.count)
        page.add(
            "days", "Days of the whole mirror, wanted or not.",
            [
                (all.withFiles, ("state", "complete")),
                (all.missing.count, ("state", "missing")),
                (all.withoutPicture.count, ("state", "no_picture")),
            ])
    }

    private func addFavorites(to page: inout Prometheus) {
        page.add(
            "favorites", "Favorites: kept, held (link gone), wanted (not downloaded yet).",
            ([.kept, .held, .wanted] as [FavoriteList.State]).map { state in
                (favorites[state] ?? 0, ("state", state.rawValue))
            })
        page.add(
            "unrecognized", "Items in favorites/ that refer to no day.", unrecognized)
        guard let watcher else { return }
        page.add(
            "watcher_mode", "How the daemon detects changes of favorites/.",
            MetricsSnapshot.Watcher.allCases.map { mode in
                (mode == watcher ? 1 : 0, ("mode", mode.rawValue))
            })
    }

    private func addVerification(to page: inout Prometheus) {
        page.add(
            "verified_timestamp_seconds", "When all files had been verified.",
            Self.seconds(verification.lastComplete))
        page.add(
            "damaged", "Files that are damaged or missing, and not repaired yet.",
            verification.damage.count)
        page.add("repaired_total", "Repaired files.", verification.repaired, .counter)
    }

    /// The counters of all processes so far: each continues from what the last one saved.
    private func addTraffic(to page: inout Prometheus) {
        let count = lastRun?.count ?? TransferMetrics.Count()
        page.add("requests_total", "Requests to servers.", count.requests, .counter)
        page.add("received_bytes_total", "Received bytes.", count.bytes, .counter)
        page.add(
            "failures_total", "Failed downloads and writes.", count.failures, .counter)
    }

    private func addMachine(to page: inout Prometheus) {
        page.add("size_bytes", "Bytes of pictures, videos and records.", bytes)
        page.add("free_bytes", "Free bytes on the disk.", freeBytes)
        page.add(
            "build_info", "Version of apod-mirror.", [(1, ("version", Version.current))])
    }
}
