internal import Platform

/// Tells those who keep something that is made from the tree when the tree has changed.
package final class ChangeBroadcaster: Sendable {
    private let listeners = Monitor<[ChangeListener]>([])

    package init() {}

    /// The news for one keeper.
    package func listener() -> ChangeListener {
        let news = ChangeListener()
        listeners.withLock { $0.append(news) }
        return news
    }

    package func tell(_ change: TreeChange) {
        for listener in listeners.withLock({ $0 }) { listener.put(change) }
    }
}
