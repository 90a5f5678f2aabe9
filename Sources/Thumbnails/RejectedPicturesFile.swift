internal import APOD
internal import FoundationEssentials
internal import JSON
internal import Mirror
internal import Platform

/// The pictures that were refused, as they are written down.
final class RejectedPicturesFile: Sendable {
    private struct State {
        var refused: RejectedPictures
        var saved: RejectedPictures
    }

    private let store: Store
    private let state: Monitor<State>

    private static let path = "\(Layout.own)/thumbnails.json"

    /// Reads what `store` has; a book that is damaged is as good as none.
    init(of store: Store) {
        self.store = store
        let bytes = (try? store.tree.root.read(Self.path)) ?? nil
        let json = bytes.flatMap { try? JSON(parsing: $0) }
        let refused = json.map { RejectedPictures($0) } ?? RejectedPictures()
        state = Monitor(State(refused: refused, saved: refused))
    }

    var refused: RejectedPictures { state.withLock { $0.refused } }

    func forget(_ day: Day) {
        state.withLock { $0.refused.forget(day) }
    }

    func refuse(_ day: Day, _ sha256: String, reason: String) {
        state.withLock { $0.refused.refuse(day, sha256, reason: reason) }
    }

    func postpone(_ day: Day, _ sha256: String, reason: String) {
        state.withLock { $0.refused.postpone(day, sha256, reason: reason, at: Date()) }
    }

    /// Writes the book where it says something new.
    func save() throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            guard state.refused != state.saved else { return }
            let (folder, name) = Layout.split(Self.path)
            try store.publish(
                state.refused.json.document, in: try store.tree.root.makeDirectory(folder), as: name
            )
            state.saved = state.refused
        }
    }
}
