internal import Platform

/// Tells those who keep something that is made from the tree when the tree has changed.
package final class TreeChanges: Sendable {
    private let listeners = Monitor<[TreeNews]>([])

    package init() {}

    /// The news for one keeper.
    package func listener() -> TreeNews {
        let news = TreeNews()
        listeners.withLock { $0.append(news) }
        return news
    }

    package func tell(_ change: TreeChange) {
        for listener in listeners.withLock({ $0 }) { listener.put(change) }
    }
}
