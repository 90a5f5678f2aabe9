import Platform

/// Looks at `favorites` after each reason, in a task of its own, while things go on.
struct Looker: Sendable {
    private struct State {
        var found: Set<Found> = []
        var looks = 0
        var missedSome = false
    }

    private let state = Monitor(State())
    private let looked: AsyncStream<Void>
    private let task: Task<Void, any Error>

    init(_ disk: Disk, debounce: DirectoryWatcher.Debounce) {
        let (looked, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.looked = looked
        task = Task(executorPreference: ThreadPoolExecutor.shared) { [state] in
            let watch = DirectoryWatcher(
                of: "favorites", in: try Directory(opening: disk.path), debounce: debounce)
            // With no reason for so long, what is there must be what was found last.
            while let reason = await watch.nextReason(by: .now + .seconds(5)) {
                // A folder that is away for a moment has nothing in it.
                let found = (try? await watch.scan()).flatMap(\.self).found
                state.withLock { state in
                    if reason == .due, found != state.found { state.missedSome = true }
                    state.found = found
                    state.looks += 1
                }
                continuation.yield()
            }
        }
    }

    /// Whether something had changed although no reason came.
    var missedSome: Bool { state.withLock { $0.missedSome } }

    /// How many looks it took from now until `found` was found.
    func looks(untilFound found: Set<Found>) async -> Int {
        let before = state.withLock { $0.looks }
        var looks = looked.makeAsyncIterator()
        while state.withLock({ $0.found != found }) { await looks.next() }
        return state.withLock { $0.looks } - before
    }

    func stop() async {
        task.cancel()
        _ = await task.result
    }
}
