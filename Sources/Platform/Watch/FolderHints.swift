/// The hints of a ``FolderWatch``, each when it is asked for; the sequence ends with the task.
package struct FolderHints: AsyncSequence, Sendable {
    private let watch: FolderWatch

    init(of watch: FolderWatch) {
        self.watch = watch
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let watch: FolderWatch

        package func next() async -> FolderHint? { await watch.nextHint() }

        package func next(isolation: isolated (any Actor)?) async -> FolderHint? {
            await watch.nextHint()
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(watch: watch) }
}
