internal import FoundationEssentials
package import Platform

/// Why a transfer failed, or why it brought nothing new.
///
/// The description shows each address without user, password and query.
package enum TransferError: Error, Hashable, Sendable {
    /// ``AddressPolicy`` forbids the address, or it is not a URL.
    case forbidden(address: String, reason: String)
    /// The name of the host leads only to addresses that ``AddressPolicy`` forbids, as if a DNS server blocks the name.
    case blocked(address: String, reason: String)
    /// ``HostFailures`` sends no request to the host, because those for files of other days failed.
    case skipped(address: String, reason: String)
    /// The host has no address or did not answer, TLS failed, or the transfer was too slow.
    case unreachable(address: String, reason: String)
    /// The server asked with a `Retry-After` for no request before this time, in seconds since 1970.
    case throttled(address: String, until: Double)
    /// The server answered with a status of 400 or more; `body` is the start of its response, at most 64 KiB.
    case refused(address: String, status: Int, body: [UInt8])
    /// The response is invalid or ended early, or there were too many redirects.
    case broken(address: String, reason: String)
    /// The body is longer than the maximum of the caller, in bytes.
    case tooLong(address: String, limit: Int)
    /// The first bytes show another file than the caller wants, such as "an HTML page instead of a picture".
    ///
    /// `isOtherKind` says that the server does not send its file at all, but a page, such as that of a filter in the network.
    case rejected(address: String, reason: String, isOtherKind: Bool = false)
    /// ``SpaceReservations`` has no space for a body of so many bytes.
    case noSpace(address: String, bytes: Int)
    /// The file could not be written.
    case file(SystemError)
    /// The task of the request was cancelled.
    case cancelled
    /// The file still has the version that the caller has.
    case notModified(address: String)
}

extension TransferError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .forbidden(let address, let reason), .blocked(let address, let reason),
            .skipped(let address, let reason):
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
        case .rejected(let address, let reason, _):
            "\(address.redactedAddress) is \(reason.excerpt)"
        case .noSpace(let address, _): "not enough disk space for \(address.redactedAddress)"
        case .file(let error): "\(error)"
        case .cancelled: "the transfer was cancelled"
        case .notModified(let address): "\(address.redactedAddress) has not changed"
        }
    }
}

/// Writes a time, in seconds since 1970, as `2026-11-20 04:10:00 UTC`.
func universalTime(_ seconds: Double) -> String {
    let time = Date(timeIntervalSince1970: seconds.rounded(.up))
    let withZ = time.formatted(.iso8601.dateTimeSeparator(.space))
    return withZ.dropLast() + " UTC"
}
