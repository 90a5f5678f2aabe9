package import APOD
internal import TestSupport

/// The operations of one trial, which can be repeated.
package struct Script: Sendable {
    package private(set) var operations: [Operation] = []
    /// The differences between disk and model at the end.
    package private(set) var differences: [String] = []
    package private(set) var counts: [String: Int] = [:]
    package private(set) var effects: [String: Int] = [:]

    /// The days of a trial: the last two are mirrored later.
    package static let days =
        ["2026-11-20", "2026-11-19", "2026-10-02", "2019-04-10", "2015-07-15"]
        .compactMap { Day(iso: $0) }
        + (1...6).map { Day.first.advanced(by: 1000 + $0) }
        + ["2024-06-03", "2020-06-11"].compactMap { Day(iso: $0) }

    /// Applies `count` operations, and stops at the first difference.
    package static func random(seed: UInt64, count: Int) async throws -> Script {
        var user = RandomUser(seed: seed, days: days)
        return try await play { trial, script in
            while trial.counts.values.reduce(0, +) < count, script.differences.isEmpty {
                try await script.perform(user.next(in: trial.world), in: trial)
            }
            try await script.perform(.scan(checksAll: true), in: trial)
        }
    }

    private static func play(
        _ body: (Trial, inout Script) async throws -> Void
    ) async throws -> Script {
        try await withTemporaryFolder(inMemory: true) { root in
            let trial = try Trial(root: root, days: days)
            var script = Script()
            try await body(trial, &script)
            script.counts = trial.counts
            script.effects = trial.effects
            return script
        }
    }

    private mutating func perform(_ operation: Operation, in trial: Trial) async throws {
        operations.append(operation)
        do {
            differences += try await trial.perform(operation)
        } catch {
            differences.append("\(error)")
        }
    }

    /// The script with as few operations as still lead to a difference.
    ///
    /// Removes halves, quarters and so on until nothing can be removed; see Zeller,
    /// "Yesterday, my program worked. Today, it does not. Why?", 1999.
    package func shrunk() async throws -> Script {
        var best = self
        var size = operations.count / 2
        while size > 0 {
            let before = best.operations.count
            try await best.leaveOut(size)
            if size > 1 || best.operations.count == before { size /= 2 }
        }
        return best
    }

    /// Removes each run of `size` operations without which the difference remains.
    private mutating func leaveOut(_ size: Int) async throws {
        var start = 0
        while start < operations.count {
            let end = min(start + size, operations.count)
            var fewer = operations
            fewer.removeSubrange(start..<end)
            let script = try await Self.played(fewer)
            if script.differences.isEmpty { start = end } else { self = script }
        }
    }

    private static func played(_ operations: [Operation]) async throws -> Script {
        try await play { trial, script in
            for operation in operations where script.differences.isEmpty {
                try await script.perform(operation, in: trial)
            }
        }
    }
}

extension Script: CustomStringConvertible {
    package var description: String {
        let lines = operations.map { "    \($0)".replacing("FavoritesModel.", with: "") }
        return (lines + differences).joined(separator: "\n")
    }
}
