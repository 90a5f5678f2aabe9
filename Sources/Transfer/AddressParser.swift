internal import CCurl

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
