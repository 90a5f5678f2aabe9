/// Syncs directories; threads that ask for the same directory at the same time share one fsync(2).
///
/// A sync that has begun may not include a rename of that moment: a thread that comes during a sync waits
/// for the next one, which includes the renames of all waiting threads.
package final class DirectorySynchronizer: Sendable {
    private struct Syncs {
        /// The number of syncs that have begun and ended.
        var begun = 0
        var ended = 0
        /// The failed ones by their number.
        var failures: [Int: SystemError] = [:]
        /// The threads that have not returned.
        var threads = 0
    }

    private let state = Monitor([String: Syncs]())

    package init() {}

    /// Returns after a sync of `directory` that began after the call.
    package func synchronize(_ directory: Directory) throws(SystemError) {
        let path = directory.path
        let number = state.withLock { state in
            state[path, default: Syncs()].threads += 1
            return state[path, default: Syncs()].begun + 1
        }
        let isFirst = state.wait { state -> Bool? in
            let syncs = state[path, default: Syncs()]
            if syncs.ended >= number { return false }
            guard syncs.begun == syncs.ended else { return nil }
            state[path, default: Syncs()].begun += 1
            return true
        }
        if isFirst { synchronize(directory, number) }
        let failure = state.withLock { state in
            let failure = state[path]?.failures[number]
            state[path, default: Syncs()].threads -= 1
            if state[path]?.threads == 0 { state[path] = nil }
            return failure
        }
        if let failure { throw failure }
    }

    private func synchronize(_ directory: Directory, _ number: Int) {
        var failure: SystemError?
        do throws(SystemError) {
            try directory.synchronize()
        } catch {
            failure = error
        }
        state.withLock { [failure] state in
            state[directory.path]?.ended = number
            state[directory.path]?.failures[number] = failure
        }
        state.broadcast()
    }
}
