import Platform
import TestSupport
import Testing

/// A process has one inotify instance of the library, so whatever watches takes its turn.
@Suite(.serialized, .watching, .timeLimit(.minutes(2))) struct WatchTests {}

extension DirectoryWatcher {
    /// Takes hints and looks after each, until what is found fulfils `condition`.
    ///
    /// - Returns: All hints that came.
    @discardableResult
    func look(
        sourceLocation: SourceLocation = #_sourceLocation,
        until condition: (Set<Found>) -> Bool
    ) async throws -> RescanReason {
        var hints: RescanReason = []
        while true {
            let hint = await nextHint(by: .now + .seconds(10))
            hints.formUnion(try #require(hint))
            if hint == .due {
                Issue.record("no hint came", sourceLocation: sourceLocation)
                return hints
            }
            if condition(try list().found) { return hints }
        }
    }

    /// Takes the first hint and looks, so that everything is watched.
    func begin() async throws {
        #expect(await nextHint() == .started)
        _ = try list()
    }

    /// Whether nothing is heard for a while, mounts on this machine apart.
    func isSilent(for duration: Duration = .milliseconds(150)) async -> Bool {
        let deadline = ContinuousClock.now + duration
        while true {
            guard let hint = await nextHint(by: deadline) else { return false }
            if hint == .due { return true }
            if hint != .mounted { return false }
        }
    }
}
