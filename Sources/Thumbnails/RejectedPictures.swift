internal import Mirror
internal import Platform
internal import Synchronization

/// The pictures that cannot be decoded, as `.apod-mirror/thumbnails.json` lists them for `status`.
///
/// ``FailedPictures`` changes the list in memory, and ``Thumbnails`` saves it after each round. A list that cannot be read is
/// never overwritten; a damaged one counts as empty.
final class RejectedPictures: Sendable {
    private struct List {
        /// The SHA-256 of each picture, by the path of the JPEG that was not made.
        var hashes: [String: String]
        /// Whether the disk has the same list.
        var isSaved = true
    }

    private let store: Store
    /// `nil` until the list on the disk is read.
    private let list = Mutex<List?>(nil)

    init(of store: Store) { self.store = store }

    /// The SHA-256 of each rejected picture, by the path of the JPEG that was not made; empty if the list is unreadable.
    var hashes: [String: String] { (try? withList { $0.hashes }) ?? [:] }

    /// Lists the picture with this SHA-256 as the reason why there is no JPEG at `path`, or no picture if `sha256` is `nil`.
    ///
    /// If the list cannot be read, it stays as it is until the next attempt, which ends in the same way.
    func replace(_ path: String, by sha256: String?) {
        try? withList { list in
            guard list.hashes[path] != sha256 else { return }
            list.hashes[path] = sha256
            list.isSaved = false
        }
    }

    /// Writes the list if it has changed.
    func save() throws(SystemError) {
        try withList { list throws(SystemError) in
            guard !list.isSaved else { return }
            try store.write(list.hashes, to: Layout.failedPictures)
            list.isSaved = true
        }
    }

    /// Calls `body` with the list; the first call reads it.
    ///
    /// - Throws: The error of `body`, or that of reading the list, after which the next call reads it again.
    private func withList<Value: Sendable>(
        _ body: (inout List) throws(SystemError) -> Value
    ) throws(SystemError) -> Value {
        try list.withLock { known throws(SystemError) in
            var list: List
            if let known {
                list = known
            } else {
                list = List(hashes: try store.tree.state(at: Layout.failedPictures) ?? [:])
            }
            defer { known = list }
            return try body(&list)
        }
    }
}
