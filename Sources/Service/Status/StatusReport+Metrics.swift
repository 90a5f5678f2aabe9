internal import APOD
internal import FoundationEssentials
internal import JSON
package import Mirror
internal import Platform

extension StatusReport {
    /// The ``numbers`` in the text format of Prometheus, for node_exporter's textfile collector.
    ///
    /// `exitCode` is the exit code of the command that prints them.
    package func metrics(endingWith exitCode: Int32) -> String {
        Self.metrics(of: root, [("up", 1), ("exit_code", Int(exitCode))] + numbers)
    }

    /// The metrics of the mirror at `root` that cannot be read, because an alert needs numbers when a disk is away.
    package static func metrics(
        ofUnreadable root: String, obstacle: Obstacle.Kind?, endingWith exitCode: Int32
    ) -> String {
        metrics(of: root, [("up", 0), ("exit_code", Int(exitCode))] + numbers(of: obstacle))
    }

    /// Three lines for each number; the third is `apod_mirror_favorites_kept{root="/srv/apod"} 12`.
    private static func metrics(of root: String, _ numbers: [NamedNumber]) -> String {
        // The label, with the escapes of the format, distinguishes several mirrors on one machine.
        let label = root.replacing("\\", by: "\\\\").replacing("\"", by: "\\\"")
            .replacing("\n", by: "\\n")
        return numbers.map { number in
            let name = "apod_mirror_\(number.name)"
            let meaning = help[number.name] ?? number.name
            return "# HELP \(name) \(meaning)\n# TYPE \(name) gauge\n"
                + "\(name){root=\"\(label)\"} \(number.value)\n"
        }.joined()
    }

    /// A number of the report with its name, such as `favorites_kept`.
    package typealias NamedNumber = (name: String, value: Int)

    /// All numbers of ``json``, and 0 or 1 for each kind of obstacle; texts and unknown values are omitted.
    ///
    /// `"favorites": {"kept": 12}` becomes `favorites_kept 12`, a list becomes its length, and a date or a time becomes the
    /// seconds since 1970.
    package var numbers: [NamedNumber] {
        Self.numbers(of: json, name: "") + Self.numbers(of: obstacle?.kind)
    }

    private static func numbers(of obstacle: Obstacle.Kind?) -> [NamedNumber] {
        Obstacle.Kind.allCases.map { ("obstacle_\($0.rawValue)", obstacle == $0 ? 1 : 0) }
    }

    private static func numbers(of json: JSON, name: String) -> [NamedNumber] {
        switch json {
        case .integer(let number): return [(name, number)]
        case .bool(let isTrue): return [(name, isTrue ? 1 : 0)]
        case .array(let elements): return [(name, elements.count)]
        case .object(let members):
            return members.flatMap { member in
                let path = name.isEmpty ? member.key : "\(name)_\(member.key)"
                return numbers(of: member.value, name: path)
            }
        case .string(let text):
            guard let date = Day(iso: text)?.startInUTC ?? Date(timestamp: text) else { return [] }
            return [("\(name)_timestamp_seconds", Int(date.timeIntervalSince1970))]
        case .null, .number: return []
        }
    }

    /// What each number means, by its name.
    static let help = [
        "in_the_way": "Items in the places of generated files, which are therefore not written.",
        "unreadable": "Files that cannot be read, so that what only they say is left out.",
        "up": "Whether the mirror could be read.",
        "exit_code": "Exit code of status: 0 if nothing is wrong.",
        "stale": "Whether NASA has newer days than the mirror, or was not reached for a day.",
        "newest_timestamp_seconds": "Newest day with a picture or video, 00:00 UTC.",
        "newest_age_seconds": "Age of the newest day with a picture or video.",
        "newest_published_timestamp_seconds": "Newest day that NASA has published, 00:00 UTC.",
        "since_timestamp_seconds": "Oldest wanted day, if --since is a date.",
        "kept_from_timestamp_seconds": "Oldest day that --keep keeps.",
        "wanted": "Days that --since and --keep ask for.",
        "complete": "Wanted days with a picture or video.",
        "missing": "Wanted days without picture and video that are retried.",
        "unknown": "Wanted days that may be complete, because something cannot be read.",
        "partial": "Days with a picture or video that lack another file, or a better one.",
        "no_picture": "Wanted days for which NASA published no picture.",
        "mirror_complete": "Days with a picture or video, wanted or not.",
        "mirror_missing": "Days without picture and video that are retried, wanted or not.",
        "mirror_unknown": "Days, wanted or not, that may be complete.",
        "mirror_no_picture": "Days for which NASA published no picture, wanted or not.",
        "last_success_timestamp_seconds": "Last sync that reached NASA.",
        "last_error_at_timestamp_seconds": "Last failure of a sync or a day.",
        "last_error_age_seconds": "Time since the last failure of a sync or a day.",
        "obstacle_since_timestamp_seconds":
            "First sync in a row that met what keeps all days away.",
        "next_sync_timestamp_seconds": "Next sync of the running daemon.",
        "sync_start_timestamp_seconds": "Start of the running sync.",
        "sync_planned": "Days that the running sync requests.",
        "sync_done": "Days that the running sync has ended with.",
        "favorites_kept": "Favorites with a pinned picture.",
        "favorites_new": "Favorites whose record is not written yet.",
        "favorites_held": "Favorites whose links are gone, kept until a person decides.",
        "favorites_wanted": "Favorites whose picture is not here yet.",
        "favorites_unknown": "Favorites whose picture cannot be examined.",
        "favorites_unrecognized": "Items in favorites/ that refer to no day.",
        "thumbnails_complete": "Days with a thumbnail.",
        "thumbnails_missing": "Days whose thumbnail is not made yet.",
        "thumbnails_rejected": "Days of whose picture no thumbnail can be made.",
        "verify_last_complete_timestamp_seconds": "Last time that all files had been read.",
        "verify_last_slice_timestamp_seconds": "Last time that some days were read.",
        "verify_next_timestamp_seconds": "Day whose files are read next.",
        "verify_repaired": "Files that were repaired.",
        "verify_damage": "Files that are damaged, missing or unreadable.",
        "bytes": "Bytes of pictures and videos, and of what edits and damage replaced.",
        "free_bytes": "Free bytes on the disk of the mirror.",
        "removed": "Days whose picture or video --keep removed.",
        "trash_bytes": "Bytes of removed favorites that are not deleted yet.",
        "recheck_start_timestamp_seconds": "Start of the walk over all days in search of edits.",
        "recheck_next_timestamp_seconds": "Day that the walk over all days requests next.",
        "limit_rate": "Most bytes a second of all downloads.",
        "running": "Process ID of the daemon.",
        "obstacle_network": "Whether NASA's list cannot be downloaded, which keeps all days away.",
        "obstacle_disk": "Whether the disk is away, read-only or fails, which keeps all days away.",
        "obstacle_space":
            "Whether the disk is full or --min-free is reached, which keeps all days away.",
        "obstacle_clock": "Whether the clock of this machine is wrong, which keeps all days away.",
        "obstacle_rights": "Whether the daemon may not write its files, which keeps all days away.",
    ]
}
