internal import Platform

/// The settings of all requests of a ``Client``.
struct ClientConfiguration: Sendable {
    /// The `User-Agent`.
    let agent: String
    let policy: AddressPolicy
    let limits: Limits
    /// The limit of all transfers together.
    let bandwidth: Bandwidth?
    /// The certificate authorities to trust, `nil` for those of the system.
    let caFile: String?
    let proxies: EnvironmentProxies
    /// The bytes of all bodies so far.
    let receivedBytes = SharedValue(0)
}
