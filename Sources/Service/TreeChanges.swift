package import Platform

/// Tells those who keep something that is made from the tree when the tree has changed.
package final class TreeChanges: Sendable {
    private let listeners = Monitor<[Mailbox<TreeChange>]>([])

    package init() {}

    /// A mailbox for one keeper; at first all has changed, for the tree may have while nobody ran.
    package func listener() -> Mailbox<TreeChange> {
        let mailbox = Mailbox(TreeChange.all)
        listeners.withLock { $0.append(mailbox) }
        return mailbox
    }

    package func tell(_ change: TreeChange) {
        for listener in listeners.withLock({ $0 }) { listener.put(change) }
    }
}
