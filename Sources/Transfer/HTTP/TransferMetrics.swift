internal import Platform
internal import Synchronization

/// Counts requests, bytes and failures as they happen, for the metrics file and `status`.
package final class TransferMetrics: Sendable {
    /// The kinds of failures.
    package enum Failure: String, Hashable, Codable, CodingKeyRepresentable, Sendable, CaseIterable
    {
        /// No connection, no name, no TLS, a stall.
        case unreachable
        /// A status of 400 or more.
        case refused
        /// The server sent a `Retry-After`.
        case throttled
        /// The response ended early, or redirected in circles.
        case broken
        /// The body is longer than the limit of its request.
        case tooLong = "too_long"
        /// ``AddressPolicy`` forbids the address.
        case forbidden
        /// The response did not end early, but is invalid: a placeholder, another day, no picture.
        case unusable
        /// A received file could not be written.
        case disk
        /// The disk is full, or `--min-free` is reached.
        case noSpace = "no_space"
    }

    /// The counts since the beginning.
    package struct Count: Hashable, Codable, Sendable {
        /// Including those after redirects.
        package var requests = 0
        /// The bytes of all bodies.
        package var bytes = 0
        package var failures: [Failure: Int] = [:]

        package init() {}
    }

    private let state: Mutex<Count>

    /// - Parameter count: The counts of earlier processes, from a file. All restart at zero if one is negative or so
    ///   large that a sum might overflow.
    package init(_ count: Count = Count()) {
        let numbers = [count.requests, count.bytes] + count.failures.values
        state = Mutex(numbers.allSatisfy { 0..<1 << 60 ~= $0 } ? count : Count())
    }

    package var count: Count { state.withLock { $0 } }

    /// Counts a failure that a caller of ``Client`` has found.
    package func add(_ failure: Failure) {
        state.withLock { $0.failures[failure, default: 0] += 1 }
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
        if let failure = error.failure { add(failure) }
    }
}

extension TransferError {
    /// What ``Client`` counts it as; `nil` if the caller does, or if it is no failure.
    var failure: TransferMetrics.Failure? {
        switch self {
        case .forbidden: .forbidden
        case .unreachable: .unreachable
        case .throttled: .throttled
        case .refused: .refused
        case .broken: .broken
        case .tooLong: .tooLong
        case .noSpace, .file, .cancelled, .notModified: nil
        }
    }
}
