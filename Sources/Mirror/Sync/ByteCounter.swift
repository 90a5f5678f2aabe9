internal import Platform

/// How many bytes arrived, counted while they do.
package final class ByteCounter: Sendable {
    private let total = Monitor(0)

    package init() {}

    package var bytes: Int { total.withLock { $0 } }

    /// A listener for one download, which is told how many bytes of it are there.
    func listener() -> @Sendable (Int) -> Void {
        let seen = Monitor(0)
        return { [total] bytes in
            let more = seen.withLock { seen in
                defer { seen = bytes }
                // An attempt that starts again starts from nothing.
                return max(0, bytes - seen)
            }
            total.withLock { $0 += more }
        }
    }
}
