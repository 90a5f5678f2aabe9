/// The hints of a ``DirectoryWatcher``, each when it is asked for; the sequence ends with the task.
package struct RescanReasons: AsyncSequence, Sendable {
    private let watch: DirectoryWatcher

    init(of watch: DirectoryWatcher) {
        self.watch = watch
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let watch: DirectoryWatcher

        package func next() async -> RescanReason? { await watch.nextHint() }

        package func next(isolation: isolated (any Actor)?) async -> RescanReason? {
            await watch.nextHint()
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(watch: watch) }
}
