internal import Platform

/// Which addresses may be requested, in feeds and redirects alike.
///
/// Feeds come from the upstream; media from NASA's hosts, those of posters, classic mirrors, and the upstream. Addresses
/// of this machine and of private networks are forbidden, except the host and port of the upstream that
/// the user chose.
package struct AddressPolicy: Sendable {
    /// The purpose of a request.
    package enum Role: Hashable, Sendable {
        /// Lists and entries.
        case feed
        /// Pictures, posters, videos.
        case media
        /// The web page of a day on a classic mirror.
        case webPage
    }

    /// The hosts of the posters of videos.
    package static let posterHosts: Set = [
        "i.vimeocdn.com", "i.ytimg.com", "img.youtube.com", "vimeo.com",
    ]

    let upstream: WebURL?
    private let mediaHosts: Set<String>
    private let mirrorHosts: Set<String>
    /// The hosts of mirrors whose addresses the user typed with `http`.
    private let plainHosts: Set<String>

    /// The policy for a feed at `upstream`; `nil` means NASA.
    package init(
        upstream: WebURL?, mediaHosts: Set<String> = posterHosts, mirrors: [WebURL] = []
    ) {
        self.upstream = upstream
        self.mediaHosts = mediaHosts
        mirrorHosts = Set(mirrors.map(\.host))
        plainHosts = Set(mirrors.filter { $0.scheme == "http" }.map(\.host))
    }

    /// Parses an absolute address and checks that it may be requested; `http` becomes `https` where the feed has it.
    package func check(_ text: String, as role: Role = .media) throws(TransferError) -> WebURL {
        var address = try WebURL(text)
        if isNeedlesslyPlain(address) { address = try WebURL("https" + address.text.dropFirst(4)) }
        try check(address, as: role, isRedirect: false)
        return address
    }

    /// Checks that an address may be requested, also one of a redirect.
    func check(_ address: WebURL, as role: Role, isRedirect: Bool) throws(TransferError) {
        if let reason = objection(to: address, as: role, isRedirect: isRedirect) {
            throw .forbidden(address: address.redacted, reason: reason.excerpt)
        }
    }

    /// Whether a connection for `address` may be to `resolved`, to which its name resolved.
    func permits(_ resolved: IPAddress, for address: WebURL) -> Bool {
        // Only the user may choose a private address, and none of NASA's names has one.
        resolved.kind == nil || (isUpstream(address) && !address.isNASA)
    }

    /// Why `address` may not be requested, as the end of a sentence; `nil` if it may.
    private func objection(to address: WebURL, as role: Role, isRedirect: Bool) -> String? {
        guard address.isWeb else {
            return "its scheme is \(address.scheme), not http or https"
        }
        if address.hasCredentials { return "it contains a user or a password" }
        if isUpstream(address) { return nil }
        // mutation test: plain-http
        if isNeedlesslyPlain(address) { return "it is plain http, and the feed is https" }
        // mutation test: private-address
        if let kind = address.ipAddress?.kind { return "\(address.host) is \(kind.rawValue)" }
        if address.isLoopback { return "\(address.host) is this machine" }
        guard address.port == 80 || address.port == 443 else {
            return "port \(address.port) is not 80 or 443"
        }
        switch role {
        case .feed where address.isNASA && (isRedirect || upstream == nil): return nil
        case .feed: return "\(address.host) is not an allowed host of the feed"
        case .media where isMedia(address): return nil
        case .webPage where mirrorHosts.contains(address.host): return nil
        case .webPage: return "\(address.host) is not a classic mirror"
        case .media: return "\(address.host) is not an allowed host of media"
        }
    }

    private func isMedia(_ address: WebURL) -> Bool {
        address.isNASA || mediaHosts.contains(address.host) || mirrorHosts.contains(address.host)
    }

    /// Whether it is an address of media by `http`, although the feed and the user's mirrors do not ask for that.
    private func isNeedlesslyPlain(_ address: WebURL) -> Bool {
        address.scheme == "http" && upstream?.scheme != "http" && isMedia(address)
            && (address.isNASA || !plainHosts.contains(address.host))
    }

    private func isUpstream(_ address: WebURL) -> Bool {
        address.host == upstream?.host && address.port == upstream?.port
    }
}
