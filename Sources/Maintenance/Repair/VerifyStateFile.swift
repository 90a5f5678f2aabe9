internal import Mirror
internal import Platform
internal import Synchronization

/// The file `verify.json` of a mirror: read when its ``VerifyState`` is needed first, and written when that has changed.
///
/// While the file cannot be read, it is not written either, and the state is what this process has found out itself.
final class VerifyStateFile: Sendable {
    private struct Contents {
        var current = VerifyState.none
        /// The state that the file has, or why it cannot be read; `nil` if it is still to be read.
        var saved: Result<VerifyState, SystemError>?
    }

    private let store: Store
    private let cached = Mutex(Contents())

    init(in store: Store) { self.store = store }

    /// The current state; if the file cannot be read, it has only what this process has found out.
    var state: VerifyState {
        cached.withLock { contents in
            readOnce(into: &contents)
            return contents.current
        }
    }

    /// Why the file cannot be read; `nil` if it could be read.
    var readError: SystemError? {
        cached.withLock { contents in
            readOnce(into: &contents)
            return if case .failure(let error) = contents.saved { error } else { nil }
        }
    }

    /// Changes the state, and writes it if the file has another one.
    ///
    /// - Throws: ``SystemError`` if the file cannot be read or written; the change stays nevertheless.
    func update(_ change: (inout VerifyState) -> Void) throws(SystemError) {
        try cached.withLock { contents throws(SystemError) in
            readOnce(into: &contents)
            change(&contents.current)
            guard try contents.saved?.get() != contents.current else { return }
            try store.write(contents.current, to: Layout.verify)
            contents.saved = .success(contents.current)
        }
    }

    /// Makes the next call read the file again if it could not be read.
    func forgetReadError() {
        cached.withLock { contents in
            if case .failure = contents.saved { contents.saved = nil }
        }
    }

    /// Reads the file, unless that was tried before; adds what was found out without it.
    private func readOnce(into contents: inout Contents) {
        guard contents.saved == nil else { return }
        let saved = Result { () throws(SystemError) in try VerifyState.read(from: store.tree) }
        contents.saved = saved
        guard case .success(var state) = saved else { return }
        state.add(contents.current.damage)
        contents.current = state
    }
}
