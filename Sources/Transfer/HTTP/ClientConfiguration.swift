internal import Platform

/// The settings of all requests of a ``Client``.
struct ClientConfiguration: Sendable {
    /// The `User-Agent`.
    let agent: String
    let policy: AddressPolicy
    let limits: Limits
    /// The limit of all transfers together.
    let bandwidth: Bandwidth?
    let environment: NetworkEnvironment
    /// Whether requests are over TLS: all are, unless that of the feed is not.
    var usesTLS: Bool { policy.upstream?.scheme != "http" }
    /// The bytes of all bodies so far.
    let receivedBytes = SharedValue(0)
}
