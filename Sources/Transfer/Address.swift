internal import CCurl

/// An absolute web address, read the way the transfer reads it.
///
/// Whoever checks an address and whoever fetches it must not read it differently: ``text`` is a
/// spelling that libcurl reads back unchanged, and it is what libcurl is given.
package struct Address: Hashable, Sendable {
    /// The canonical spelling, without a fragment.
    package let text: String
    /// Lower case.
    package let scheme: String
    /// Lower case, decoded, without a dot at its end; number addresses in their usual form.
    package let host: String
    /// 0 where the scheme has none.
    package let port: Int
    /// Names a user or a password.
    package let hasCredentials: Bool

    /// Reads `text`, relative to `base` where there is one, as a redirect is.
    package init(_ text: String, relativeTo base: Address? = nil) throws(TransferError) {
        var spelling = try Self.canonical(text, base: base?.text)
        // One reading may uncover another, such as a number address behind percent signs.
        for _ in 0..<4 {
            let next = try Self.canonical(spelling)
            guard next != spelling else {
                self.init(canonical: spelling)
                return
            }
            spelling = next
        }
        throw .forbidden(address: text.withoutSecrets, reason: "it can be read in several ways")
    }

    private init(canonical text: String) {
        let parser = AddressParser()
        _ = parser.read(text)
        self.text = text
        scheme = parser.get(CURLUPART_SCHEME) ?? ""
        host = parser.get(CURLUPART_HOST) ?? ""
        port = parser.get(CURLUPART_PORT, CInt(CURLU_DEFAULT_PORT)).flatMap { Int($0) } ?? 0
        hasCredentials =
            parser.get(CURLUPART_USER) != nil || parser.get(CURLUPART_PASSWORD) != nil
    }

    private static func canonical(
        _ text: String, base: String? = nil
    ) throws(TransferError) -> String {
        let parser = AddressParser()
        if let base { _ = parser.read(base) }
        // A NUL would end the text early for libcurl and not for others.
        let objection = text.utf8.contains(0) ? "it contains a NUL" : parser.read(text)
        if let objection {
            throw .forbidden(address: text.withoutSecrets, reason: "it is no address: \(objection)")
        }
        parser.set(CURLUPART_FRAGMENT, nil)
        if let host = parser.get(CURLUPART_HOST), host != plain(host) {
            parser.set(CURLUPART_HOST, plain(host))
        }
        return parser.get(CURLUPART_URL, CInt(CURLU_NO_DEFAULT_PORT)) ?? text
    }

    private static func plain(_ host: String) -> String {
        var host = host.lowercased()
        while host.hasSuffix("."), host.count > 1 { host.removeLast() }
        return host
    }

    /// The address as errors and logs show it.
    package var shown: String { text.withoutSecrets }

    /// The host as a number, `nil` where it is a name.
    var ipAddress: IPAddress? { IPAddress(host) }

    /// Leads to this machine, by number or by a name kept for that; see RFC 6761.
    var isLoopback: Bool {
        ipAddress?.kind == .loopback || host == "localhost" || host.hasSuffix(".localhost")
    }
}
