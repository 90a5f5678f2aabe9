internal import CCurl

/// A handle of libcurl for one transfer, with its options and results; see libcurl-easy(3).
///
/// A handle is used once: after a host did not resolve, libcurl 7.88 rejects options of the connection, even after a reset.
/// Connections are reused nevertheless, because they belong to the ``MultiHandle``.
@safe struct EasyHandle: ~Copyable {
    /// The handle itself; the functions of libcurl take it.
    let pointer: UnsafeMutableRawPointer
    /// The buffer in which libcurl describes the error that ended the transfer; see CURLOPT_ERRORBUFFER(3).
    private let errorText: UnsafeMutablePointer<CChar>
    /// The additional header lines; `nil` if there are none; see CURLOPT_HTTPHEADER(3).
    private let headers: UnsafeMutablePointer<curl_slist>?

    /// Creates a handle for a request with these additional header lines; if memory runs out, the first ones are missing.
    init(headers lines: [String]) {
        guard let pointer = unsafe curl_easy_init() else {
            fatalError("curl_easy_init: out of memory")
        }
        unsafe self.pointer = pointer
        unsafe headers = lines.reduce(nil) { list, line in unsafe curl_slist_append(list, line) }
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        unsafe set(CURLOPT_ERRORBUFFER, pointer: errorText)
        check(unsafe ccurl_set_headers(pointer, headers), CURLOPT_HTTPHEADER)
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe curl_slist_free_all(headers)
        unsafe errorText.deallocate()
    }

    /// A number that no other existing handle has, by which ``MultiHandle/perform()`` names the transfer.
    var id: Int { unsafe Int(bitPattern: pointer) }

    func set(_ option: CURLoption, _ value: Int) {
        check(unsafe ccurl_set_number(pointer, option, value), option)
    }

    /// Sets a text, which libcurl copies.
    func set(_ option: CURLoption, _ value: String) {
        check(unsafe ccurl_set_text(pointer, option, value), option)
    }

    /// Removes the text of an option, which libcurl may have set by default.
    func clear(_ option: CURLoption) {
        check(unsafe ccurl_set_text(pointer, option, nil), option)
    }

    /// Sets a pointer that libcurl passes to callbacks; its object must outlive the transfer.
    func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer) {
        check(unsafe ccurl_set_pointer(pointer, option, value), option)
    }

    func set(_ option: CURLoption, _ callback: curl_write_callback) {
        check(unsafe ccurl_set_receiver(pointer, option, callback), option)
    }

    func set(socketOpener: curl_opensocket_callback) {
        check(
            unsafe ccurl_set_socket_opener(pointer, socketOpener), CURLOPT_OPENSOCKETFUNCTION)
    }

    func set(requestObserver: curl_prereq_callback) {
        check(unsafe ccurl_set_request_observer(pointer, requestObserver), CURLOPT_PREREQFUNCTION)
    }

    /// The cookies that were set before the transfer and by it, as CURLOPT_COOKIELIST(3) takes them.
    var cookies: [String] {
        var list: UnsafeMutablePointer<curl_slist>?
        guard unsafe ccurl_get_list(pointer, CURLINFO_COOKIELIST, &list) == CURLE_OK else {
            return []
        }
        defer { unsafe curl_slist_free_all(list) }
        return unsafe Self.texts(in: list)
    }

    /// The fields of the host's certificate, such as `Expire Date:2026-11-20 04:05:00 GMT`; see CURLINFO_CERTINFO(3).
    var certificateFields: [String] {
        var chain: UnsafeMutablePointer<curl_certinfo>?
        // The first certificate is that of the host. Those of authorities follow; one that is not needed may have expired.
        guard unsafe ccurl_get_certificates(pointer, &chain) == CURLE_OK,
            let certificates = unsafe chain?.pointee, unsafe certificates.num_of_certs > 0
        else { return [] }
        return unsafe Self.texts(in: certificates.certinfo[0])
    }

    private static func texts(in list: UnsafeMutablePointer<curl_slist>?) -> [String] {
        var texts: [String] = []
        var rest = unsafe list
        while let item = unsafe rest {
            unsafe texts.append(String(cString: item.pointee.data))
            unsafe rest = item.pointee.next
        }
        return texts
    }

    /// libcurl's description of the error that ended the transfer; without details, its description of `code`.
    func explanation(of code: CURLcode) -> String {
        let text = unsafe String(cString: errorText)
        return text.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : text
    }

    /// Ends the process if an option was not set: without it, a transfer would not be safe.
    private func check(_ code: CURLcode, _ option: CURLoption) {
        guard code == CURLE_OK else {
            let reason = unsafe String(cString: curl_easy_strerror(code))
            fatalError("curl_easy_setopt: option \(option.rawValue): \(reason)")
        }
    }
}
