internal import APOD
internal import Mirror
internal import Platform

/// ``FailedPictures`` as stored in a file, for several tasks.
final class FailedPicturesFile: Sendable {
    private let store: Store
    private let state: Monitor<(current: FailedPictures, saved: FailedPictures)>

    static let path = "\(Layout.own)/thumbnails.json"

    /// Reads the file of `store`; a damaged one counts as empty.
    init(of store: Store) {
        self.store = store
        let found: FailedPictures? = try? store.tree.state(at: Self.path)
        let isCurrent = found?.version == FailedPictures.currentVersion
        let stored = isCurrent ? found ?? FailedPictures() : FailedPictures()
        state = Monitor((stored, stored))
    }

    var failures: [Day: FailedPictures.Failure] { state.withLock { $0.current.failures } }

    func update(_ change: (inout FailedPictures) -> Void) {
        state.withLock { change(&$0.current) }
    }

    /// Writes the file if there are changes.
    func save() throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            guard state.current != state.saved else { return }
            try store.write(state.current, to: Self.path)
            state.saved = state.current
        }
    }
}
