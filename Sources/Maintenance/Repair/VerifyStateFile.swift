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
            // The next update reports the error.
            _ = try? load(&contents)
            return contents.current
        }
    }

    /// Why the file cannot be read; `nil` if it could be read.
    var readError: SystemError? {
        cached.withLock { contents in
            do throws(SystemError) {
                _ = try load(&contents)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Changes the state, and writes it if the file has another one.
    ///
    /// - Throws: ``SystemError`` if the file cannot be read or written; the change stays nevertheless.
    func update(_ change: (inout VerifyState) -> Void) throws(SystemError) {
        try cached.withLock { contents throws(SystemError) in
            let saved: VerifyState
            do throws(SystemError) {
                saved = try load(&contents)
            } catch {
                change(&contents.current)
                throw error
            }
            change(&contents.current)
            guard contents.current != saved else { return }
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

    /// Returns the state that the file has; if the file is read now, its state becomes the current one.
    private func load(_ contents: inout Contents) throws(SystemError) -> VerifyState {
        if let saved = contents.saved { return try saved.get() }
        let result = Result { () throws(SystemError) in try VerifyState.read(from: store.tree) }
        contents.saved = result
        var state = try result.get()
        state.add(contents.current.damage)
        contents.current = state
        return try result.get()
    }
}
