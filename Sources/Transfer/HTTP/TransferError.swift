internal import FoundationEssentials
package import Platform

/// Why a transfer has no new result.
///
/// The description shows every address without user, password and key.
package enum TransferError: Error, Hashable, Sendable {
    /// ``AddressPolicy`` forbids the address, or it is not a URL; the text says why.
    case forbidden(address: String, reason: String)
    /// No connection, no name, no TLS, or a stall.
    case unreachable(address: String, reason: String)
    /// The server sent a `Retry-After`: no request until then, in seconds since 1970.
    case throttled(address: String, until: Double)
    /// A status of 400 or more, with the start of the body (64 KiB at most).
    case refused(address: String, status: Int, body: [UInt8])
    /// The response is invalid, ended early, or redirected in circles; the text says which.
    case broken(address: String, reason: String)
    /// The body is longer than the `limit` of the caller in bytes.
    case tooLong(address: String, limit: Int)
    /// The file is of another kind than the caller wants, by its first bytes; the text says of which.
    case rejected(address: String, reason: String)
    /// The disk has no space for the body, by ``SpaceReservations``.
    case noSpace(address: String, bytes: Int)
    /// The file could not be written.
    case file(SystemError)
    /// The task was cancelled.
    case cancelled
    /// The file still has the version that the caller knows.
    case notModified(address: String)
}

extension TransferError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .forbidden(let address, let reason):
            "\(address.redactedAddress) is not requested: \(reason.excerpt)"
        case .unreachable(let address, let reason):
            "no response from \(address.redactedAddress): \(reason.excerpt)"
        case .throttled(let address, let until):
            "the server of \(address.redactedAddress) accepts no request before \(universalTime(until))"
        case .refused(let address, let status, _):
            "\(address.redactedAddress) responded with status \(status)"
        case .broken(let address, let reason):
            "invalid response from \(address.redactedAddress): \(reason.excerpt)"
        case .tooLong(let address, let limit):
            "\(address.redactedAddress) is longer than the limit of \(limit) bytes"
        case .rejected(let address, let reason): "\(address.redactedAddress) is \(reason.excerpt)"
        case .noSpace(let address, _): "not enough disk space for \(address.redactedAddress)"
        case .file(let error): "\(error)"
        case .cancelled: "the transfer was cancelled"
        case .notModified(let address): "\(address.redactedAddress) has not changed"
        }
    }
}

/// `2026-11-20 04:10:00 UTC`.
func universalTime(_ seconds: Double) -> String {
    let time = Date(timeIntervalSince1970: seconds.rounded(.up))
    // Without the Z at its end.
    return time.formatted(.iso8601.dateTimeSeparator(.space)).dropLast() + " UTC"
}
