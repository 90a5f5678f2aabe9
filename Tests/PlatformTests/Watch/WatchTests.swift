import Platform
import TestSupport
import Testing

/// libinotifytools has one instance per process, so suites that watch run one after another.
@Suite(.serialized, .watching, .timeLimit(.minutes(10))) struct WatchTests {}

extension DirectoryWatcher {
    /// Scans after each reason, until the items fulfil `condition`.
    ///
    /// - Returns: All received reasons.
    @discardableResult
    func scan(
        sourceLocation: SourceLocation = #_sourceLocation,
        until condition: (Set<FoundItem>) -> Bool
    ) async throws -> RescanReason {
        var reasons: RescanReason = []
        while true {
            let reason = await nextReason(by: .now + .hang)
            reasons.formUnion(try #require(reason))
            if reason == .due {
                Issue.record("no reason came", sourceLocation: sourceLocation)
                return reasons
            }
            if condition(try scan().found) { return reasons }
        }
    }

    /// Scans after the first reason, so that everything is watched.
    func begin() async throws {
        #expect(await nextReason() == .started)
        _ = try scan()
    }

    /// Whether no reason arrives within `duration`.
    func causesNoReason(for duration: Duration = .milliseconds(150)) async -> Bool {
        await nextReason(by: .now + duration) == .due
    }
}
