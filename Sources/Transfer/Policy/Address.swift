internal import CCurl

/// An absolute web address, parsed by libcurl.
///
/// The policy and the transfer must parse an address in the same way: ``text`` is a spelling that libcurl
/// parses to itself, and transfers request it.
package struct Address: Hashable, Sendable {
    /// The canonical spelling, without a fragment.
    package let text: String
    /// Lower case.
    package let scheme: String
    /// Lower case, decoded, without a dot at its end; number addresses in their usual form.
    package let host: String
    /// 0 where the scheme has none.
    package let port: Int
    /// Whether it contains a user or a password.
    package let hasCredentials: Bool

    /// Parses `text`; relative to `base`, if there is one, like a redirect.
    package init(_ text: String, relativeTo base: Address? = nil) throws(TransferError) {
        var spelling = try Self.canonical(text, base: base?.text)
        // Decoding may uncover another address, such as percent-encoded digits of a number address.
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

    /// Whether it is an address of this machine, or a name that RFC 6761 reserves for it.
    var isLoopback: Bool {
        ipAddress?.kind == .loopback || host == "localhost" || host.hasSuffix(".localhost")
    }
}

/// An address in libcurl's parser, which the transfers use, too; see curl_url(3).
@safe struct AddressParser: ~Copyable {
    private let handle: OpaquePointer

    init() {
        guard let handle = unsafe curl_url() else { fatalError("curl_url: out of memory") }
        unsafe self.handle = handle
    }

    deinit {
        unsafe curl_url_cleanup(handle)
    }

    /// Parses `address`, relative to the one parsed before.
    ///
    /// - Returns: Why it is not an address; `nil` if it is one.
    func read(_ address: String) -> String? {
        // Schemes that are never requested are parsed, too, so that the refusal can name them.
        let code = unsafe curl_url_set(
            handle, CURLUPART_URL, address, UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE))
        guard code != CURLUE_OK else { return nil }
        return unsafe String(cString: curl_url_strerror(code))
    }

    /// Replaces one part, or removes it.
    func set(_ part: CURLUPart, _ value: String?) {
        _ = unsafe curl_url_set(handle, part, value, 0)
    }

    /// The part, still encoded; `nil` if it is absent.
    func get(_ part: CURLUPart, _ flags: CInt = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK,
            let text = unsafe text
        else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}
