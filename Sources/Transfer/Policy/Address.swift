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
        throw .forbidden(address: text.redacted, reason: "it can be read in several ways")
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
            throw .forbidden(address: text.redacted, reason: "it is no address: \(objection)")
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
    package var redacted: String { text.redacted }

    /// The host as a number, `nil` where it is a name.
    var ipAddress: IPAddress? { IPAddress(host) }

    /// Leads to this machine, by number or by a name kept for that; see RFC 6761.
    var isLoopback: Bool {
        ipAddress?.kind == .loopback || host == "localhost" || host.hasSuffix(".localhost")
    }
}

/// An address inside libcurl's parser, the same that the transfers use; see curl_url(3).
@safe struct AddressParser: ~Copyable {
    private let handle: OpaquePointer

    init() {
        guard let handle = unsafe curl_url() else { fatalError("curl_url: out of memory") }
        unsafe self.handle = handle
    }

    deinit {
        unsafe curl_url_cleanup(handle)
    }

    /// Reads `address`, relative to what was read before.
    ///
    /// - Returns: Why it is no address, `nil` where it is one.
    func read(_ address: String) -> String? {
        // Schemes that are never fetched are read as well, so that the refusal can name them.
        let code = unsafe curl_url_set(
            handle, CURLUPART_URL, address, UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE))
        guard code != CURLUE_OK else { return nil }
        return unsafe String(cString: curl_url_strerror(code))
    }

    /// Replaces one part, or removes it.
    func set(_ part: CURLUPart, _ value: String?) {
        _ = unsafe curl_url_set(handle, part, value, 0)
    }

    /// The part as it stands in the address, `nil` where it is absent.
    func get(_ part: CURLUPart, _ flags: CInt = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK,
            let text = unsafe text
        else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}
