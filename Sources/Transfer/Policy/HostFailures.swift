internal import Platform

/// The hosts of files that did not answer in one sync.
///
/// The posters of hundreds of videos can be on a host that is gone, and each request to it may take minutes. Once a
/// host has answered, no failure counts: it says nothing about other files.
package final class HostFailures: Sendable {
    /// The failures after which a host gets no request.
    private static let limit = 3

    /// By origin; `nil` for one that answered.
    private let failures: Monitor<[String: Int?]>

    /// `answering` is the address that sent the list.
    package init(answering: WebURL? = nil) {
        let answered = answering.map { [$0.origin: Int?.none] } ?? [:]
        failures = Monitor(answered)
    }

    /// Checks that the host of `address` has not failed too often.
    package func check(_ address: String) throws(TransferError) {
        guard let origin = Self.origin(of: address),
            let count = failures.withLock({ $0[origin] ?? nil }), count >= Self.limit
        else { return }
        throw .unreachable(
            address: address,
            reason: "its host did not answer \(Self.limit) times; a later sync requests it again")
    }

    package func recordAnswer(from address: String) {
        guard let origin = Self.origin(of: address) else { return }
        failures.withLock { $0[origin] = .some(nil) }
    }

    /// Records the failure of a request; only `unreachable` is one of the host.
    package func record(_ error: TransferError, of address: String) {
        guard let origin = Self.origin(of: address) else { return }
        guard case .unreachable = error else {
            if error.isAnswer { failures.withLock { $0[origin] = .some(nil) } }
            return
        }
        failures.withLock { failures in
            guard let count = failures[origin, default: 0] else { return }
            failures[origin] = count + 1
        }
    }

    private static func origin(of address: String) -> String? { (try? WebURL(address))?.origin }
}

extension TransferError {
    /// Whether the host answered.
    fileprivate var isAnswer: Bool {
        switch self {
        case .refused, .broken, .tooLong, .notModified, .throttled: true
        case .forbidden, .unreachable, .noSpace, .file, .cancelled: false
        }
    }
}
