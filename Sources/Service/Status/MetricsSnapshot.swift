package import FoundationEssentials
package import JSON
package import Mirror
package import Platform
package import Transfer

/// Status and counters of the daemon: the contents of `service.json`.
///
/// The counters continue from one process to the next. The file may be deleted; then they restart at
/// zero.
package struct MetricsSnapshot: Hashable, Sendable {
    /// How the daemon detects changes of `favorites/`.
    package enum Watcher: String, Hashable, Sendable, CaseIterable {
        case events, polling
    }

    /// The process that wrote it; ``watcher`` and ``nextSync`` are valid while it runs.
    package var process: Int32
    package var watcher: Watcher?
    /// Why it polls, and how to change that.
    package var reason: String?
    /// When NASA was last reached.
    package var lastSuccess: Date?
    package var nextSync: Date?
    package var written: Date?
    package var count = TransferMetrics.Count()

    package mutating func record(_ mode: DirectoryWatcher.Mode) {
        switch mode {
        case .events: (watcher, reason) = (.events, nil)
        case .polling(let limit): (watcher, reason) = (.polling, "\(limit)")
        }
    }

    /// Reads the snapshot of `tree`; `nil` if there is none or it is damaged.
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
            "next_sync": nextSync.map { .string($0.timestamp) },
            "written": written.map { .string($0.timestamp) },
            "requests": .integer(count.requests),
            "bytes": .integer(count.bytes),
            "failures": .object(
                TransferMetrics.Failure.allCases.compactMap { kind in
                    count.failures[kind].map { .init(key: kind.rawValue, value: .integer($0)) }
                }),
        ]
    }

    /// Reads ``json``; damaged values are ignored.
    package init?(_ json: JSON) {
        guard let process = json["process"]?.integer.flatMap({ Int32(exactly: $0) }) else {
            return nil
        }
        self.process = process
        watcher = json["watcher"]?.string.flatMap(Watcher.init(rawValue:))
        reason = json["reason"]?.string
        lastSuccess = json["last_success"]?.date
        nextSync = json["next_sync"]?.date
        written = json["written"]?.date
        count.requests = json["requests"]?.count ?? 0
        count.bytes = json["bytes"]?.count ?? 0
        for member in json["failures"]?.members ?? [] {
            guard let kind = TransferMetrics.Failure(rawValue: member.key) else { continue }
            count.failures[kind] = member.value.count
        }
    }
}
