internal import APOD
internal import Favorites
internal import FoundationEssentials
package import JSON
internal import Maintenance
internal import Mirror
internal import Platform
internal import Thumbnails
internal import Transfer

extension StatusReport {
    /// The report as `status --json` prints it: unknown values are `null`, sizes are in bytes, times in UTC.
    ///
    /// Scripts read it: names never change, but new ones may come.
    package var json: JSON {
        [
            "root": .string(root),
            "health": .string(health.rawValue),
            "stale": .bool(isStale),
            "newest": .text(days.newest),
            "newest_age_seconds": newestAge.map(JSON.integer) ?? .null,
            "newest_route": .text(newestRoute?.rawValue),
            "newest_published": .text(state.newest),
            "since": known(.state, .text(state.since)),
            "keep": known(.state, .text(state.keep)),
            "kept_from": .text(state.keptFrom),
            // The days that the settings ask for. A day is "complete" if its picture or video is here, even if another
            // file is retried.
            "wanted": known(.state, .integer(days.wanted.count)),
            "complete": known(.state, .integer(days.wanted.withFiles)),
            "missing": known(.state, .array(days.wanted.missing.map(\.json))),
            "unknown": known(.state, .array(days.wanted.unknown.map(\.json))),
            "no_picture": known(.state, .array(days.wanted.withoutPicture.map(\.json))),
            "partial": known(.state, .array(days.partial.map(\.json))),
            // The same numbers for all days, wanted or not.
            "mirror": [
                "complete": .integer(days.all.withFiles),
                "missing": known(.state, .integer(days.all.missing.count)),
                "unknown": .integer(days.all.unknown.count),
                "no_picture": known(.state, .integer(days.all.withoutPicture.count)),
            ],
            "last_success": .time(lastSuccess),
            // Why favorites, thumbnails or views could not be written; if they could, the last error in a sync.
            "last_error": lastErrorJSON,
            "api_failure": failureOfAPIJSON,
            "obstacle": obstacleJSON,
            "next_sync": .time(nextSync),
            "sync": syncJSON,
            "favorites": known(.favorites, favoritesJSON),
            "thumbnails": [
                "complete": .integer(thumbnails.made), "missing": .integer(thumbnails.missing),
                "rejected": .integer(thumbnails.rejected),
            ],
            "verify": known(.verification, verificationJSON),
            "bytes": .integer(sizes.media),
            "free_bytes": .integer(sizes.free),
            "removed": .integer(days.removedCount),
            "trash_bytes": sizes.trash.map(JSON.integer) ?? .null,
            "recheck": recheckJSON,
            "limit_rate": bandwidth.map { .integer($0.bytesPerSecond) } ?? .null,
            // The process ID of the daemon.
            "running": writer.map { .integer(Int($0.process)) } ?? .null,
            "watcher": watcherJSON,
            "in_the_way": .array(inTheWay.map(JSON.string)),
            "unreadable": .array(unreadable.map(JSON.string)),
        ]
    }

    /// Returns `json`, which comes from `part` of the report; `null` if that part cannot be read.
    private func known(_ part: Part, _ json: JSON) -> JSON {
        unknownParts.contains(part) ? .null : json
    }

    private var lastErrorJSON: JSON {
        guard let error = failures.first ?? state.lastError else { return .null }
        return [
            "at": .time(error.at),
            "age_seconds": .integer(Int(now.timeIntervalSince(error.at))),
            "message": .string(error.message),
        ]
    }

    private var failureOfAPIJSON: JSON {
        guard let failure = state.apiFailure else { return .null }
        return ["since": .time(failure.at), "message": .string(failure.message)]
    }

    private var obstacleJSON: JSON {
        guard let obstacle else { return .null }
        return [
            "kind": .string(obstacle.kind.rawValue), "text": .string(obstacle.text),
            "since": .time(obstacle.since),
        ]
    }

    private var favoritesJSON: JSON {
        let states = FavoriteList.State.allCases.map { state in
            JSON.Member(key: state.rawValue, value: .integer(favorites.byState[state] ?? 0))
        }
        let unrecognized = JSON.Member(key: "unrecognized", value: .integer(favorites.unrecognized))
        return .object(states + [unrecognized])
    }

    /// When files were verified, and what was found; `next` is the day that is verified next.
    private var verificationJSON: JSON {
        [
            "last_complete": .time(verification.lastComplete),
            "last_slice": .time(verification.lastSlice),
            "next": .text(verification.next),
            "repaired": .integer(verification.repaired),
            "damage": .array(verification.damage.map(\.json)),
        ]
    }

    private var syncJSON: JSON {
        guard let sync else { return .null }
        return [
            "start": .time(sync.start), "planned": .integer(sync.planned),
            "done": .integer(sync.ended),
        ]
    }

    /// The walk over all days that finds edits by NASA: when it began, and the day that it requests next.
    private var recheckJSON: JSON {
        guard let walk = state.recheck else { return .null }
        return ["start": .text(walk.start), "next": .text(walk.next)]
    }

    private var watcherJSON: JSON {
        guard let watcher else { return .null }
        return ["mode": .string(watcher.rawValue), "reason": .text(watcherReason)]
    }
}

extension StatusReport.IncompleteDay {
    fileprivate var json: JSON {
        [
            "date": .text(day), "reason": .string(reason), "cause": .text(retry?.cause.rawValue),
            "attempts": .integer(retry?.attempts ?? 0), "next": .time(retry?.next),
        ]
    }
}

extension JSON {
    fileprivate static func text(_ value: (some CustomStringConvertible)?) -> JSON {
        value.map { .string("\($0)") } ?? .null
    }

    /// A time as `2026-11-20T05:05:00Z`.
    fileprivate static func time(_ date: Date?) -> JSON { text(date?.timestamp) }
}
