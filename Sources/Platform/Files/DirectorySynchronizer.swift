/// Syncs directories; threads that ask for the same directory at the same time share one fsync(2).
///
/// A sync that has begun may not include a rename of that moment: a thread that comes during a sync waits
/// for the next one, which includes the renames of all waiting threads.
package final class DirectorySynchronizer: Sendable {
    /// The syncs of one directory.
    private struct Syncs {
        /// The numbers of the latest syncs that have begun and ended.
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
    ///
    /// - Throws: The error of that sync.
    package func synchronize(_ directory: Directory) throws(SystemError) {
        try wait(for: request(directory), of: directory)
    }

    /// The number of a sync of `directory` that has not begun.
    func request(_ directory: Directory) -> Int {
        state.withLock { state in
            state[directory.path, default: Syncs()].threads += 1
            return state[directory.path, default: Syncs()].begun + 1
        }
    }

    /// Waits for a requested sync, or runs it unless another thread has begun it.
    func wait(for number: Int, of directory: Directory) throws(SystemError) {
        let isFirst = state.wait { state -> Bool? in
            guard let syncs = state[directory.path], syncs.ended < number else { return false }
            guard syncs.begun == syncs.ended else { return nil }
            state[directory.path]?.begun += 1
            return true
        }
        let result =
            isFirst ? Result { () throws(SystemError) in try directory.synchronize() } : nil
        let failure = state.withLock { state in
            var syncs = state[directory.path] ?? Syncs()
            if let result {
                syncs.ended = number
                if case .failure(let error) = result { syncs.failures[number] = error }
            }
            syncs.threads -= 1
            state[directory.path] = syncs.threads == 0 ? nil : syncs
            return syncs.failures[number]
        }
        state.broadcast()
        if let failure { throw failure }
    }
}
