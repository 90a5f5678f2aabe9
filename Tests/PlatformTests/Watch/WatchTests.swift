import Platform
import TestSupport
import Testing

/// A process has one inotify instance of the library, so whatever watches takes its turn.
@Suite(.serialized, .watching, .timeLimit(.minutes(2))) struct WatchTests {}

extension DirectoryWatcher {
    /// Takes reasons and looks after each, until what is found fulfils `condition`.
    ///
    /// - Returns: All reasons that came.
    @discardableResult
    func look(
        sourceLocation: SourceLocation = #_sourceLocation,
        until condition: (Set<Found>) -> Bool
    ) async throws -> RescanReason {
        var reasons: RescanReason = []
        while true {
            let reason = await nextReason(by: .now + .seconds(10))
            reasons.formUnion(try #require(reason))
            if reason == .due {
                Issue.record("no reason came", sourceLocation: sourceLocation)
                return reasons
            }
            if condition(try scan().found) { return reasons }
        }
    }

    /// Takes the first reason and looks, so that everything is watched.
    func begin() async throws {
        #expect(await nextReason() == .started)
        _ = try scan()
    }

    /// Whether nothing is heard for a while, mounts on this machine apart.
    func isSilent(for duration: Duration = .milliseconds(150)) async -> Bool {
        let deadline = ContinuousClock.now + duration
        while true {
            guard let reason = await nextReason(by: deadline) else { return false }
            if reason == .due { return true }
            if reason != .mounted { return false }
        }
    }
}
