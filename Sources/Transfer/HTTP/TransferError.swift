internal import FoundationEssentials
package import Platform

/// Why a transfer failed.
///
/// Its addresses are redacted: they contain no user, no password and no key.
package enum TransferError: Error, Hashable, Sendable {
    /// The policy forbids the address; the text says why.
    case forbidden(address: String, reason: String)
    /// No connection, no name, no TLS, or a stall.
    case unreachable(address: String, reason: String)
    /// The server sent a `Retry-After`: no request until then, in seconds since 1970.
    case throttled(address: String, until: Double)
    /// A status of 400 or more, with the start of the body (64 KiB at most).
    case refused(address: String, status: Int, body: [UInt8])
    /// The response ended early, was too long, or redirected in circles; the text says which.
    case broken(address: String, reason: String)
    /// The response is longer than the limit of the caller.
    case tooLong(address: String, limit: Int)
    /// The caller reserved no disk space for the response.
    case noSpace(address: String)
    /// The file could not be written.
    case file(SystemError)
    /// The task was cancelled.
    case cancelled
    /// The file still has the version that the caller knows.
    case notModified(address: String)

    /// Whether the same request may well succeed a moment later.
    package var isWorthRetrying: Bool {
        switch self {
        case .unreachable, .broken: true
        case .refused(_, let status, _): [408, 425, 429, 500, 502, 503, 504].contains(status)
        case .forbidden, .throttled, .tooLong, .noSpace, .file, .cancelled, .notModified: false
        }
    }
}

extension TransferError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .forbidden(let address, let reason):
            "\(address.redacted.excerpt) is not requested: \(reason.excerpt)"
        case .unreachable(let address, let reason):
            "no response from \(address.redacted.excerpt): \(reason.excerpt)"
        case .throttled(let address, let until):
            "the server of \(address.redacted.excerpt) accepts no request before \(universalTime(until))"
        case .refused(let address, let status, _):
            "\(address.redacted.excerpt) responded with status \(status)"
        case .broken(let address, let reason):
            "invalid response from \(address.redacted.excerpt): \(reason.excerpt)"
        case .tooLong(let address, let limit):
            "\(address.redacted.excerpt) is longer than the limit of \(limit) bytes"
        case .noSpace(let address): "not enough disk space for \(address.redacted.excerpt)"
        case .file(let error): "\(error)"
        case .cancelled: "the transfer was cancelled"
        case .notModified(let address): "\(address.redacted.excerpt) has not changed"
        }
    }
}

/// `2026-11-20 04:10:00 UTC`.
private func universalTime(_ seconds: Double) -> String {
    let time = Date(timeIntervalSince1970: seconds.rounded(.up))
    return time.formatted(.iso8601.dateTimeSeparator(.space)).dropLast() + " UTC"
}

/// A failed attempt, and whether another one makes sense.
struct AttemptFailure: Error {
    let error: TransferError
    let isWorthRetrying: Bool
    /// The `Retry-After` of the response, and the host that sent it.
    let pause: (host: String, length: RetryAfter)?

    init(
        _ error: TransferError, isWorthRetrying: Bool? = nil,
        pause: (host: String, length: RetryAfter)? = nil
    ) {
        self.error = error
        self.isWorthRetrying = isWorthRetrying ?? error.isWorthRetrying
        self.pause = pause
    }

    /// An invalid response that another attempt would not change.
    static func permanent(_ address: WebURL, _ reason: String) -> AttemptFailure {
        AttemptFailure(
            .broken(address: address.redacted, reason: reason.excerpt), isWorthRetrying: false)
    }

    /// A response that was damaged or cut off in transfer.
    static func broken(_ address: WebURL, _ reason: String) -> AttemptFailure {
        AttemptFailure(.broken(address: address.redacted, reason: reason.excerpt))
    }
}
