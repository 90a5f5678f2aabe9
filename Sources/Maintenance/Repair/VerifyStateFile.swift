internal import Mirror
internal import Platform
internal import Synchronization

/// The file `verify.json` of a mirror: read when its ``VerifyState`` is needed first, and written when that has changed.
final class VerifyStateFile: Sendable {
    /// The current state, and the one that the file has; they differ after a failed write.
    private typealias Contents = (current: VerifyState, saved: VerifyState)

    private let store: Store
    private let cached = Mutex<Contents?>(nil)

    init(in store: Store) { self.store = store }

    /// - Throws: ``SystemError`` if the file cannot be read; the next call tries again.
    var state: VerifyState {
        get throws { try cached.withLock { try read(&$0).current } }
    }

    /// Changes the state, and writes the file if it has another one.
    ///
    /// - Throws: ``SystemError``; if the file cannot be written, the change stays nevertheless.
    func update(_ change: (inout VerifyState) -> Void) throws {
        try cached.withLock { cached in
            var contents = try read(&cached)
            change(&contents.current)
            cached = contents
            guard contents.current != contents.saved else { return }
            try store.write(contents.current, to: Layout.verify)
            cached?.saved = contents.current
        }
    }

    private func read(_ cached: inout Contents?) throws(SystemError) -> Contents {
        if let cached { return cached }
        let state = try VerifyState.read(from: store.tree)
        cached = (state, state)
        return (state, state)
    }
}
