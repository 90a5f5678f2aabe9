package import Platform

/// Why a transfer brought nothing.
package enum TransferError: Error, Hashable, Sendable {
    /// The policy forbids the address; the text says why.
    case forbidden(address: String, reason: String)
    /// No connection, no name, no TLS, a stall: the network or the server is away.
    case unreachable(address: String, reason: String)
    /// The server wants peace until then, in seconds since 1970.
    case throttled(address: String, until: Double)
    /// A status of 400 or more, with the start of the answer's body (64 KiB at most).
    case refused(address: String, status: Int, body: [UInt8])
    /// The answer ended early, was too long, or redirected in circles; the text says which.
    case broken(address: String, reason: String)
    /// What came could not be written here.
    case file(SystemError)
    /// The task was cancelled.
    case cancelled
}
