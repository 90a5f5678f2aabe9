import Platform

/// Scans `favorites` after each reason, in its own task.
struct BackgroundScanner: Sendable {
    private struct State {
        var found: Set<FoundItem> = []
        var scans = 0
        var missedChange = false
    }

    private let state = Monitor(State())
    private let scanned: AsyncStream<Void>
    private let task: Task<Void, any Error>

    init(_ disk: Disk, debounce: DirectoryWatcher.Debounce) {
        let (scanned, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.scanned = scanned
        task = Task(executorPreference: ThreadPoolExecutor.shared) { [state] in
            let watch = DirectoryWatcher(
                of: "favorites", in: try Directory(opening: disk.path), debounce: debounce)
            // Without a reason for this time, the last scan must match the disk.
            while let reason = await watch.nextReason(by: .now + .seconds(5)) {
                // A directory that is missing for a moment has no items.
                let found = (try? await watch.scan()).flatMap(\.self).found
                state.withLock { state in
                    if reason == .due, found != state.found { state.missedChange = true }
                    state.found = found
                    state.scans += 1
                }
                continuation.yield()
            }
        }
    }

    /// Whether a change caused no reason.
    var missedChange: Bool { state.withLock { $0.missedChange } }

    /// The number of scans from now until `found` was found.
    func scans(untilFound found: Set<FoundItem>) async -> Int {
        let before = state.withLock { $0.scans }
        var scans = scanned.makeAsyncIterator()
        while state.withLock({ $0.found != found }) { await scans.next() }
        return state.withLock { $0.scans } - before
    }

    func stop() async {
        task.cancel()
        _ = await task.result
    }
}
