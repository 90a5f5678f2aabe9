package import FoundationEssentials
package import JSON
package import Mirror
package import Platform
package import Transfer

/// What a daemon says of itself: the contents of `service.json`.
///
/// The counts go on from one process to the next; the file may be deleted, and they begin again.
package struct MetricsSnapshot: Hashable, Sendable {
    /// How the daemon notices what is dropped into `favorites/`.
    package enum Watcher: String, Hashable, Sendable, CaseIterable {
        case events, polling
    }

    /// The process that wrote it; what it says of ``watcher`` and ``nextLook`` is true while that lives.
    package var process: Int32
    package var watcher: Watcher?
    /// Why it polls, and what to do about it.
    package var reason: String?
    /// When NASA was last reached.
    package var lastSuccess: Date?
    /// When NASA is looked at next.
    package var nextLook: Date?
    package var written: Date?
    package var count = TransferMetrics.Count()

    package init(process: Int32) {
        self.process = process
    }

    package mutating func note(_ mode: DirectoryWatcher.Mode) {
        switch mode {
        case .events: (watcher, reason) = (.events, nil)
        case .polling(let limit): (watcher, reason) = (.polling, "\(limit)")
        }
    }

    /// What `tree` has, `nil` where it has none or it is damaged.
    package static func read(from tree: Tree) -> MetricsSnapshot? {
        guard let bytes = try? tree.root.read(Layout.service, limit: 1 << 20) else { return nil }
        return (try? JSON(parsing: bytes)).flatMap(MetricsSnapshot.init)
    }
}

extension MetricsSnapshot {
    package var json: JSON {
        [
            "process": .integer(Int(process)),
            "watcher": watcher.map { .string($0.rawValue) },
            "reason": reason.map(JSON.string),
            "last_success": lastSuccess.map { .string($0.timestamp) },
            "next_look": nextLook.map { .string($0.timestamp) },
            "written": written.map { .string($0.timestamp) },
            "requests": .integer(count.requests),
            "bytes": .integer(count.bytes),
            "failures": .object(
                TransferMetrics.Failure.allCases.compactMap { kind in
                    count.failures[kind].map { .init(key: kind.rawValue, value: .integer($0)) }
                }),
        ]
    }

    /// Reads what ``json`` wrote; what is damaged in it is left out.
    package init?(_ json: JSON) {
        guard let process = json["process"]?.integer.flatMap({ Int32(exactly: $0) }) else {
            return nil
        }
        self.process = process
        watcher = json["watcher"]?.string.flatMap(Watcher.init(rawValue:))
        reason = json["reason"]?.string
        lastSuccess = json["last_success"]?.string.flatMap(Date.init(timestamp:))
        nextLook = json["next_look"]?.string.flatMap(Date.init(timestamp:))
        written = json["written"]?.string.flatMap(Date.init(timestamp:))
        count.requests = max(json["requests"]?.integer ?? 0, 0)
        count.bytes = max(json["bytes"]?.integer ?? 0, 0)
        for member in json["failures"]?.members ?? [] {
            guard let kind = TransferMetrics.Failure(rawValue: member.key),
                let number = member.value.integer
            else { continue }
            count.failures[kind] = max(number, 0)
        }
    }
}
