internal import Platform

/// What was asked for, what came, and what went wrong, counted while it happens.
package final class TransferMetrics: Sendable {
    /// What can go wrong between a server and the disk.
    package enum Failure: String, Hashable, Sendable, CaseIterable {
        /// No connection, no name, no TLS, a stall.
        case unreachable
        /// A status of 400 or more.
        case refused
        /// The server wanted peace.
        case throttled
        /// The answer ended early, or redirected in circles.
        case broken
        case tooLong = "too_long"
        /// The policy forbids the address.
        case forbidden
        /// The answer came and is none: a stand-in, another day, no picture.
        case unusable
        /// What came could not be written.
        case disk
        case noSpace = "no_space"
    }

    /// How often, since the beginning.
    package struct Count: Hashable, Sendable {
        /// Those sent on by a server count for themselves.
        package var requests = 0
        /// Of the bodies of answers.
        package var bytes = 0
        package var failures: [Failure: Int] = [:]

        package init() {}
    }

    private let state: Monitor<Count>

    /// - Parameter count: What was counted before, by an earlier process.
    package init(_ count: Count = Count()) {
        state = Monitor(count)
    }

    package var count: Count { state.withLock { $0 } }

    package func note(_ failure: Failure) {
        state.withLock { $0.failures[failure, default: 0] += 1 }
    }

    func noteRequest(bytes: Int) {
        state.withLock { count in
            count.requests += 1
            count.bytes += bytes
        }
    }

    /// Notes a failed attempt; what concerns this machine rather than the server is noted by the caller.
    func note(_ error: TransferError) {
        switch error {
        case .forbidden: note(.forbidden)
        case .unreachable: note(.unreachable)
        case .throttled: note(.throttled)
        case .refused: note(.refused)
        case .broken: note(.broken)
        case .tooLong: note(.tooLong)
        case .file, .cancelled: break
        }
    }
}
