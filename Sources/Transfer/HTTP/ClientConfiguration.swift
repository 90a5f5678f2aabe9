internal import Glibc
internal import Platform

/// The settings of all requests of a ``Client``.
struct ClientConfiguration: Sendable {
    /// The `User-Agent`.
    let agent: String
    let policy: AddressPolicy
    let limits: Limits
    /// The limit of all transfers together.
    let bandwidth: Bandwidth?
    let metrics: TransferMetrics
    /// The certificate authorities to trust, `nil` for those of the system.
    let caFile: String?
    /// The proxy; `nil` for that of the environment.
    let proxy: String?

    /// Whether a connection may be to a proxy, which resolves the name of the host itself: then the address of
    /// the connection says nothing about the host.
    func mayUseProxy(for address: WebURL) -> Bool {
        if address.isLoopback { return false }
        return proxy != nil || Self.environmentNamesProxy
    }

    private static let environmentNamesProxy =
        ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains {
            (name: String) in unsafe getenv(name).map { unsafe $0.pointee != 0 } ?? false
        }
}
