package import APOD
package import FoundationEssentials
package import JSON

/// What the mirror remembers between two looks: the contents of `state.json`.
///
/// It may be deleted: the tree itself says what is had, and what is not is looked for again.
package struct SyncState: Hashable, Sendable {
    /// The newest day that NASA has published, as last seen.
    package var newest: Day?
    /// What was asked for last: how far back the mirror reaches, and whether videos are kept.
    package var since = Since.days(30)
    package var keepsVideos = false
    /// Whether each video day has had its shortcut: trees from before there were any get them once.
    package var hasShortcuts = false
    package var pending: [Day: RetryState] = [:]
    /// Hosts that asked for peace, and until when.
    package var hosts: [String: Date] = [:]
    /// When NASA was last reached and its newest entry seen.
    package var lastSuccess: Date?
    package var lastError: Failure?

    /// What went wrong last, and when.
    package struct Failure: Hashable, Sendable {
        package var at: Date
        package var message: String

        package init(at: Date, message: String) {
            self.at = at
            self.message = message
        }
    }

    package init() {}

    /// Whether it says more than `saved` does; a look that found nothing new is written once an hour.
    func isWorthSaving(over saved: SyncState) -> Bool {
        var other = saved
        other.lastSuccess = lastSuccess
        guard self == other, let lastSuccess else { return self != saved }
        return saved.lastSuccess.map { abs(lastSuccess.timeIntervalSince($0)) >= 3600 } ?? true
    }
}

extension SyncState {
    package var json: JSON {
        [
            "newest": newest.map { .string("\($0)") },
            "since": .string("\(since)"),
            "videos": .bool(keepsVideos),
            "shortcuts": .bool(hasShortcuts),
            "last_success": lastSuccess.map { .string($0.timestamp) },
            "last_error": lastError?.json,
            "hosts": Self.object(hosts, key: { $0 }) { .string($0.timestamp) },
            "days": Self.object(pending, key: { "\($0)" }) { $0.json },
        ]
    }

    /// Reads what ``json`` wrote; what is damaged in it is left out.
    package init(_ json: JSON) {
        newest = json["newest"]?.string.flatMap { Day(iso: $0) }
        since = json["since"]?.string.flatMap(Since.init) ?? since
        keepsVideos = json["videos"]?.bool ?? false
        hasShortcuts = json["shortcuts"]?.bool ?? false
        lastSuccess = json["last_success"]?.string.flatMap(Date.init(timestamp:))
        lastError = json["last_error"].flatMap(Failure.init)
        for member in json["hosts"]?.members ?? [] {
            hosts[member.key] = member.value.string.flatMap(Date.init(timestamp:))
        }
        for member in json["days"]?.members ?? [] {
            guard let day = Day(iso: member.key) else { continue }
            pending[day] = RetryState(member.value)
        }
    }

    private static func object<Key: Hashable, Value>(
        _ dictionary: [Key: Value], key: (Key) -> String, value: (Value) -> JSON
    ) -> JSON {
        .object(
            dictionary.map { JSON.Member(key: key($0.key), value: value($0.value)) }
                .sorted { $0.key < $1.key })
    }
}

extension SyncState.Failure {
    package var json: JSON { ["at": .string(at.timestamp), "message": .string(message)] }

    init?(_ json: JSON) {
        guard let at = json["at"]?.string.flatMap(Date.init(timestamp:)),
            let message = json["message"]?.string
        else { return nil }
        self.at = at
        self.message = message
    }
}
