internal import Platform

/// Which addresses may be requested, in feeds and redirects alike.
///
/// Feeds come from the upstream; media from NASA's hosts, those of posters, and the upstream. Addresses
/// of this machine and of private networks are forbidden, except the host and port of the upstream that
/// the user chose.
package struct AddressPolicy: Sendable {
    /// The purpose of a request.
    package enum Role: Hashable, Sendable {
        /// Lists and entries.
        case feed
        /// Pictures, posters, videos.
        case media
    }

    /// The hosts of the posters of videos.
    package static let posterHosts: Set = [
        "i.vimeocdn.com", "i.ytimg.com", "img.youtube.com", "vimeo.com",
    ]

    private let upstream: Address?
    private let mediaHosts: Set<String>

    /// The policy for a feed at `upstream`; `nil` and texts that are not addresses mean NASA.
    package init(upstream: String?, mediaHosts: Set<String> = posterHosts) {
        self.upstream = upstream.flatMap { try? Address($0) }
        self.mediaHosts = mediaHosts
    }

    /// Parses an address and checks that it may be requested.
    ///
    /// - Parameters:
    ///   - text: An absolute address.
    ///   - role: The purpose of the request.
    /// - Returns: The address in its canonical spelling.
    /// - Throws: ``TransferError/forbidden(address:reason:)``
    package func check(_ text: String, as role: Role = .media) throws(TransferError) -> Address {
        let address = try Address(text)
        try check(address, as: role, isRedirect: false)
        return address
    }

    /// Checks that an address may be requested, also one of a redirect.
    func check(_ address: Address, as role: Role, isRedirect: Bool) throws(TransferError) {
        if let reason = objection(to: address, as: role, isRedirect: isRedirect) {
            throw .forbidden(address: address.redacted, reason: reason.excerpt)
        }
    }

    /// Whether a connection for `address` may use `socket`, to which its name resolved.
    func permits(_ socket: IPAddress, for address: Address) -> Bool {
        // Only the user may choose a private address, and none of NASA's names has one.
        socket.kind == nil || (isUpstream(address) && !isNASA(address.host))
    }

    private func objection(to address: Address, as role: Role, isRedirect: Bool) -> String? {
        guard address.scheme == "http" || address.scheme == "https" else {
            return "only http and https are, not \(address.scheme)"
        }
        if address.hasCredentials { return "it names a user or a password" }
        if isUpstream(address) { return nil }
        // mutant: private-address
        if let kind = address.ipAddress?.kind { return "\(address.host) is \(kind.rawValue)" }
        if address.isLoopback { return "\(address.host) is this machine" }
        guard address.port == 80 || address.port == 443 else {
            return "port \(address.port) is not one of the web's"
        }
        return isHome(address.host, of: role, isRedirect: isRedirect)
            ? nil
            : "\(address.host) is no host that \(role == .feed ? "the feed" : "media") comes from"
    }

    private func isUpstream(_ address: Address) -> Bool {
        address.host == upstream?.host && address.port == upstream?.port
    }

    private func isHome(_ host: String, of role: Role, isRedirect: Bool) -> Bool {
        switch role {
        case .feed: isNASA(host) && (isRedirect || upstream == nil)
        case .media: isNASA(host) || mediaHosts.contains(host)
        }
    }

    private func isNASA(_ host: String) -> Bool {
        host == "nasa.gov" || host.hasSuffix(".nasa.gov")
    }
}
