internal import Platform
internal import Synchronization

/// Stops the requests to hosts that answer nothing during a sync, such as a host that no longer exists.
///
/// Such a host may have the posters of hundreds of videos, and each request to it may take minutes. Once a host has answered
/// in this sync, failures do not stop the requests to it, because each may concern one file only.
package final class HostFailures: Sendable {
    /// The number of failures after which a host without an answer gets no more requests.
    private static let maximumFailures = 3

    private struct Hosts {
        /// The hosts that answered, by their origins, such as `https://apod.nasa.gov`.
        var answered: Set<String> = []
        /// The number of failed requests by the origin of the host.
        var failures: [String: Int] = [:]
    }

    private let hosts = Mutex(Hosts())

    /// Creates an object for a sync whose list of entries came from `answeringHost`.
    package init(answeringHost: WebURL? = nil) {
        if let answeringHost { hosts.withLock { $0.answered = [answeringHost.origin] } }
    }

    /// Checks that the host of `address` may get another request.
    package func check(_ address: String) throws(TransferError) {
        guard let origin = Self.origin(of: address) else { return }
        let isGone = hosts.withLock {
            !$0.answered.contains(origin)
                && $0.failures[origin, default: 0] >= Self.maximumFailures
        }
        guard isGone else { return }
        throw .unreachable(
            address: address,
            reason:
                "its host did not answer \(Self.maximumFailures) times; a later sync requests it again"
        )
    }

    package func recordAnswer(from address: String) {
        guard let origin = Self.origin(of: address) else { return }
        hosts.withLock { _ = $0.answered.insert(origin) }
    }

    /// Records how a request for `address` failed: without an answer, or with an answer of the host such as status 404.
    package func record(_ error: TransferError, of address: String) {
        switch error {
        case .refused, .broken, .tooLong, .rejected, .notModified, .throttled:
            recordAnswer(from: address)
        case .unreachable:
            guard let origin = Self.origin(of: address) else { return }
            hosts.withLock { $0.failures[origin, default: 0] += 1 }
        // These say nothing about the host.
        case .forbidden, .noSpace, .file, .cancelled: break
        }
    }

    private static func origin(of address: String) -> String? {
        (try? WebURL(address))?.origin
    }
}
