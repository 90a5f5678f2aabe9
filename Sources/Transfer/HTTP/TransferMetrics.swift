internal import Platform
internal import Synchronization

/// Counts requests, bytes and failures as they happen, for the metrics file and `status`.
package final class TransferMetrics: Sendable {
    /// The counts since the beginning.
    package struct Count: Hashable, Codable, Sendable {
        /// Including those after redirects.
        package var requests = 0
        /// The bytes of all bodies.
        package var bytes = 0
        /// The failed attempts at requests, the unusable responses, and the failed writes.
        package var failures = 0

        package init() {}
    }

    private let state: Mutex<Count>

    /// - Parameter count: The counts of earlier processes, from a file. All restart at zero if one is negative or so
    ///   large that a sum might overflow.
    package init(_ count: Count = Count()) {
        let numbers = [count.requests, count.bytes, count.failures]
        state = Mutex(numbers.allSatisfy { 0..<1 << 60 ~= $0 } ? count : Count())
    }

    package var count: Count { state.withLock { $0 } }

    /// Counts a failure that a caller of ``Client`` has found.
    package func addFailure() {
        state.withLock { $0.failures += 1 }
    }

    func addRequest() {
        state.withLock { $0.requests += 1 }
    }

    func add(bytes: Int) {
        state.withLock { $0.bytes += bytes }
    }

    /// Counts a failed attempt; one that failed on this machine is counted once, by the caller, however many
    /// attempts there are.
    func add(_ error: TransferError) {
        switch error {
        case .noSpace, .file, .cancelled, .notModified: break
        case .forbidden, .unreachable, .throttled, .refused, .broken, .tooLong, .rejected:
            addFailure()
        }
    }
}
