internal import Platform

/// Which addresses may be requested, both those in feeds and those of redirects.
///
/// Feeds come from the upstream. Media also come from NASA's hosts, from the hosts of still images of videos, and from
/// classic mirrors, which are copies of the old APOD site. Addresses of this machine and of private networks are forbidden,
/// except the host and port of the upstream, because the user chose it.
package struct AddressPolicy: Sendable {
    /// The purpose of a request.
    package enum Role: Hashable, Sendable {
        /// Lists and entries.
        case feed
        /// Pictures, videos, and the still images of videos.
        case media
        /// The web page of a day on a classic mirror.
        case webPage
    }

    /// The hosts of still images of videos; vimeo.com says where the image of a video is.
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

    /// Parses an absolute address, of a feed or an entry, and checks that it may be requested.
    ///
    /// `http://apod.nasa.gov/a.jpg` of an old entry becomes `https://apod.nasa.gov/a.jpg`. It stays if the upstream has
    /// `http`, too, or if the user typed `http` in the address of that mirror.
    package func check(_ text: String, as role: Role = .media) throws(TransferError) -> WebURL {
        var address = try WebURL(text)
        // WebURL has removed a default port, which would be wrong for https.
        if isNeedlesslyPlain(address) { address = try WebURL("https" + address.text.dropFirst(4)) }
        try check(address, as: role, isRedirect: false)
        return address
    }

    /// Checks that an address may be requested as it is; throws ``TransferError/forbidden(address:reason:)``.
    func check(_ address: WebURL, as role: Role, isRedirect: Bool) throws(TransferError) {
        if let reason = objection(to: address, as: role, isRedirect: isRedirect) {
            throw .forbidden(address: address.redacted, reason: reason.excerpt)
        }
    }

    /// Whether the host of `address` may resolve to `resolved`: a name on the internet must not lead to an address at home.
    func permits(_ resolved: IPAddress, for address: WebURL) -> Bool {
        // With https, the certificate proves that the proxy behind an invented address leads to the host.
        if resolved.isInvented, address.scheme == "https" { return true }
        // The user chose the upstream, which may be at home; mirrors are on the internet.
        return resolved.isPublic || (isUpstream(address) && !address.isNASA)
    }

    /// Why `address` may not be requested, as the end of a sentence; `nil` if it may.
    private func objection(to address: WebURL, as role: Role, isRedirect: Bool) -> String? {
        guard address.isWeb else {
            return "its scheme is \(address.scheme), not http or https"
        }
        if address.hasCredentials { return "it contains a user or a password" }
        // A port has one protocol: plain http to that of https gets no response.
        if isUpstream(address) { return nil }
        // mutation test: plain-http
        if isNeedlesslyPlain(address) { return "it is plain http, and the feed is https" }
        // mutation test: private-address
        if address.ipAddress?.isPublic == false { return "\(address.host) is a private address" }
        if address.isLoopback { return "\(address.host) is this machine" }
        guard address.port == 80 || address.port == 443 else {
            return "port \(address.port) is not 80 or 443"
        }
        switch role {
        // An upstream may redirect to NASA, but the program itself requests the feed only of the upstream.
        case .feed where address.isNASA && (isRedirect || upstream == nil): return nil
        case .feed: return "\(address.host) is not an allowed host of the feed"
        case .media where isMedia(address): return nil
        case .media: return "\(address.host) is not an allowed host of media"
        case .webPage where mirrorHosts.contains(address.host): return nil
        case .webPage: return "\(address.host) is not a classic mirror"
        }
    }

    private func isMedia(_ address: WebURL) -> Bool {
        address.isNASA || mediaHosts.contains(address.host) || mirrorHosts.contains(address.host)
    }

    /// Whether it is an address of media with `http` that must have `https`.
    private func isNeedlesslyPlain(_ address: WebURL) -> Bool {
        address.scheme == "http" && upstream?.scheme != "http" && isMedia(address)
            && (address.isNASA || !plainHosts.contains(address.host))
    }

    private func isUpstream(_ address: WebURL) -> Bool {
        address.host == upstream?.host && address.port == upstream?.port
    }
}
