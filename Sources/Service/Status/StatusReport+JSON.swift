internal import FoundationEssentials
package import JSON
internal import Maintenance
internal import Mirror
internal import Thumbnails
internal import Transfer

extension StatusReport {
    /// The whole report; unknown values are `null`.
    package var json: JSON {
        [
            "root": .string(root),
            "health": .string(health.rawValue),
            "newest": newest.map { .string("\($0)") } ?? .null,
            "newest_age_seconds": newestAge.map(JSON.integer) ?? .null,
            "newest_published": state.newest.map { .string("\($0)") } ?? .null,
            "since": .string("\(state.since)"),
            "keep": .string("\(state.keep)"),
            "kept_from": state.keptFrom.map { .string("\($0)") } ?? .null,
            "wanted": .integer(wanted),
            "complete": .integer(complete),
            "missing": .array(missing.map(\.json)),
            "no_picture": .array(withoutPicture.map(\.json)),
            "mirror": [
                "complete": .integer(total.complete),
                "missing": .integer(total.missing.count),
                "no_picture": .integer(total.withoutPicture.count),
            ],
            "last_success": lastSuccess.map { .string($0.timestamp) } ?? .null,
            "last_error": lastError,
            "next_sync": nextSync.map { .string($0.timestamp) } ?? .null,
            "favorites": [
                "kept": .integer(favorites["kept"] ?? 0),
                "held": .integer(favorites["held"] ?? 0),
                "wanted": .integer(favorites["wanted"] ?? 0),
                "unrecognized": .integer(unrecognized),
            ],
            "thumbnails": [
                "complete": .integer(thumbnails.complete), "missing": .integer(thumbnails.missing),
                "rejected": .integer(thumbnails.rejected),
            ],
            "verify": [
                "last_complete": verification.lastComplete.map { .string($0.timestamp) } ?? .null,
                "last_slice": verification.lastSlice.map { .string($0.timestamp) } ?? .null,
                "next": verification.next.map { .string("\($0)") } ?? .null,
                "repaired": .integer(verification.repaired),
                "damage": .array(verification.damage.map(\.json)),
            ],
            "bytes": .integer(bytes),
            "free_bytes": .integer(freeBytes),
            "removed": .integer(removed),
            "trash_bytes": .integer(trashBytes),
            "recheck": recheck,
            "limit_rate": bandwidth.map { .integer($0.bytesPerSecond) } ?? .null,
            "running": running.map { .integer(Int($0)) } ?? .null,
            "watcher": watcherJSON,
        ]
    }

    private var lastError: JSON {
        guard let error = state.lastError else { return .null }
        return [
            "at": .string(error.at.timestamp),
            "age_seconds": .integer(Int(now.timeIntervalSince(error.at))),
            "message": .string(error.message),
        ]
    }

    private var recheck: JSON {
        guard let walk = state.recheck else { return .null }
        return [
            "start": .string("\(walk.start)"),
            "next": walk.next.map { .string("\($0)") } ?? .null,
        ]
    }

    private var watcherJSON: JSON {
        guard let watcher else { return .null }
        return [
            "mode": .string(watcher.rawValue), "reason": watcherReason.map(JSON.string) ?? .null,
        ]
    }
}

extension StatusReport.Missing {
    fileprivate var json: JSON {
        [
            "date": .string("\(day)"), "reason": .string(reason),
            "cause": cause.map { .string($0.rawValue) } ?? .null, "attempts": .integer(attempts),
            "next": next.map { .string($0.timestamp) } ?? .null,
        ]
    }
}
