internal import Platform

/// Decides which addresses may be requested: a feed or a redirect could name any address.
///
/// Feeds come from the upstream, which is the server that the user chose, or else NASA. Media also come from NASA's hosts,
/// from the hosts of still images of videos, and from classic mirrors, which are copies of NASA's old site. Addresses of this
/// machine and of private networks are forbidden, except for the host and port of the upstream.
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

    /// The hosts of still images of videos, and vimeo.com, which returns the address of the image of a video.
    private static let posterHosts: Set = [
        "i.vimeocdn.com", "i.ytimg.com", "img.youtube.com", "vimeo.com",
    ]

    /// The address of the feed; `nil` means NASA's.
    let upstream: WebURL?
    /// The hosts of classic mirrors.
    private let mirrorHosts: Set<String>
    /// The hosts of those classic mirrors whose addresses the user typed with `http`.
    private let plainHTTPHosts: Set<String>

    /// The policy for a feed at `upstream`; `nil` means NASA.
    package init(upstream: WebURL?, mirrors: [WebURL] = []) {
        self.upstream = upstream
        mirrorHosts = Set(mirrors.map(\.host))
        plainHTTPHosts = Set(mirrors.filter { $0.scheme == "http" }.map(\.host))
    }

    /// Returns the URL to request for an absolute address of a feed or an entry, after a check that it may be requested.
    ///
    /// `http://apod.nasa.gov/a.jpg` of an old entry becomes `https://apod.nasa.gov/a.jpg`. `http` stays if the upstream has
    /// `http`, too, or if the user typed `http` in the address of that classic mirror.
    package func requestURL(
        for text: String, as role: Role = .media
    ) throws(TransferError) -> WebURL {
        var address = try WebURL(text)
        if lacksHTTPS(address) {
            // The address has no port that would be wrong for https, because WebURL removes a default port.
            address = try WebURL("https" + address.text.dropFirst("http".utf8.count))
        }
        try check(address, as: role, isRedirect: false)
        return address
    }

    /// Throws ``TransferError/forbidden(address:reason:)`` unless `address` may be requested as it is.
    func check(_ address: WebURL, as role: Role, isRedirect: Bool) throws(TransferError) {
        if let reason = objection(to: address, as: role, isRedirect: isRedirect) {
            throw .forbidden(address: address.redacted, reason: reason.excerpt)
        }
    }

    /// Whether a request for `address` may connect to `ip`: a name on the internet must not lead to an address at home.
    func permits(_ ip: IPAddress, for address: WebURL) -> Bool {
        // With https, the certificate proves that the proxy behind an invented address leads to the host.
        if ip.isInvented, address.scheme == "https" { return true }
        // The upstream may be at home, because the user chose it.
        return ip.isPublic || (isUpstream(address) && !address.isNASA)
    }

    /// Why `address` may not be requested, such as “it contains a user or a password”; `nil` if it may.
    private func objection(to address: WebURL, as role: Role, isRedirect: Bool) -> String? {
        guard address.isWeb else {
            return "its scheme is \(address.scheme), not http or https"
        }
        if address.hasCredentials { return "it contains a user or a password" }
        // The scheme need not be compared: a port that serves https does not answer plain http.
        if isUpstream(address) { return nil }
        // mutation test: plain-http (see Tests/Mutants)
        if lacksHTTPS(address) { return "it is plain http, and the feed is https" }
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
        case .media where hasMediaHost(address): return nil
        case .media: return "\(address.host) is not an allowed host of media"
        case .webPage where mirrorHosts.contains(address.host): return nil
        case .webPage: return "\(address.host) is not a classic mirror"
        }
    }

    private func hasMediaHost(_ address: WebURL) -> Bool {
        address.isNASA || Self.posterHosts.contains(address.host)
            || mirrorHosts.contains(address.host)
    }

    /// Whether `address` has `http`, but its host must be requested by `https`.
    private func lacksHTTPS(_ address: WebURL) -> Bool {
        address.scheme == "http" && upstream?.scheme != "http" && hasMediaHost(address)
            && (address.isNASA || !plainHTTPHosts.contains(address.host))
    }

    private func isUpstream(_ address: WebURL) -> Bool {
        address.host == upstream?.host && address.port == upstream?.port
    }
}
