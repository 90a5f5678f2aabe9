internal import CCurl

/// A URL in libcurl's parser; see curl_url(3).
@safe struct URLParser: ~Copyable {
    private let handle: OpaquePointer

    /// Parses `text`; relative to `base`, if there is one.
    init(_ text: String, relativeTo base: String? = nil) throws(TransferError) {
        guard let handle = unsafe curl_url() else { fatalError("curl_url: out of memory") }
        unsafe self.handle = handle
        for text in [base, text].compactMap(\.self) {
            // Schemes that are never requested are parsed, too, so that the error can name them.
            let code = unsafe curl_url_set(
                handle, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME))
            guard code == CURLUE_OK else {
                let reason = unsafe String(cString: curl_url_strerror(code))
                throw .forbidden(
                    address: text.redactedAddress, reason: "it is not a URL: \(reason)")
            }
        }
        set(CURLUPART_FRAGMENT, to: nil)
        if let host = part(CURLUPART_HOST) {
            // A dot at the end makes a name absolute: it is the same host.
            var plain = host.lowercased()
            while plain.hasSuffix("."), plain.count > 1 { plain.removeLast() }
            if plain != host { set(CURLUPART_HOST, to: plain) }
        }
    }

    deinit {
        unsafe curl_url_cleanup(handle)
    }

    /// Replaces a part; `nil` removes it.
    func set(_ part: CURLUPart, to text: String?) {
        _ = unsafe curl_url_set(handle, part, text, UInt32(CURLU_NON_SUPPORT_SCHEME))
    }

    /// The URL; not canonical if decoding its host uncovered another one.
    var spelling: String { part(CURLUPART_URL, CInt(CURLU_NO_DEFAULT_PORT)) ?? "" }

    /// The part, still encoded; `nil` if it is absent.
    func part(_ part: CURLUPart, _ flags: CInt = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK,
            let text = unsafe text
        else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}
