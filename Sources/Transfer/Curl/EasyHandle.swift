internal import CCurl

/// One transfer of libcurl; see libcurl-easy(3).
///
/// It is used once: after a name did not resolve, libcurl 7.88 rejects some options, even after a reset.
/// ``MultiHandle`` has the connections.
@safe struct EasyHandle: ~Copyable {
    let pointer: UnsafeMutableRawPointer
    private let reason: UnsafeMutablePointer<CChar>

    init() {
        guard let pointer = unsafe curl_easy_init() else {
            fatalError("curl_easy_init: out of memory")
        }
        unsafe self.pointer = pointer
        unsafe reason = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        unsafe set(CURLOPT_ERRORBUFFER, pointer: reason)
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe reason.deallocate()
    }

    /// Differs from that of all other handles that exist.
    var id: Int { unsafe Int(bitPattern: pointer) }

    func set(_ option: CURLoption, _ value: Int) {
        demand(unsafe ccurl_set_number(pointer, option, value), option)
    }

    /// Sets a text, which libcurl copies.
    func set(_ option: CURLoption, _ value: String) {
        demand(unsafe ccurl_set_text(pointer, option, value), option)
    }

    /// Removes the default text of an option.
    func clear(_ option: CURLoption) {
        demand(unsafe ccurl_set_text(pointer, option, nil), option)
    }

    func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer) {
        demand(unsafe ccurl_set_pointer(pointer, option, value), option)
    }

    func set(_ option: CURLoption, _ receiver: curl_write_callback) {
        demand(unsafe ccurl_set_receiver(pointer, option, receiver), option)
    }

    func set(socketOpener: curl_opensocket_callback) {
        demand(
            unsafe ccurl_set_socket_opener(pointer, socketOpener), CURLOPT_OPENSOCKETFUNCTION)
    }

    func set(requestObserver: curl_prereq_callback) {
        demand(unsafe ccurl_set_request_observer(pointer, requestObserver), CURLOPT_PREREQFUNCTION)
    }

    /// Sets lines that must outlive the transfer.
    func set(_ headers: borrowing HeaderList) {
        demand(unsafe ccurl_set_headers(pointer, headers.first), CURLOPT_HTTPHEADER)
    }

    /// libcurl's description of `code`.
    func explanation(of code: CURLcode) -> String {
        let text = unsafe String(cString: reason)
        return text.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : text
    }

    /// Without one of its options, a transfer would not be safe.
    private func demand(_ code: CURLcode, _ option: CURLoption) {
        guard code == CURLE_OK else {
            fatalError("curl_easy_setopt: option \(option.rawValue), error \(code.rawValue)")
        }
    }
}

/// Header lines as a list of libcurl; see curl_slist_append(3).
@safe struct HeaderList: ~Copyable {
    private(set) var first: UnsafeMutablePointer<curl_slist>?

    init(_ lines: [String]) {
        for line in lines {
            guard let list = unsafe curl_slist_append(first, line) else {
                fatalError("curl_slist_append: out of memory")
            }
            unsafe first = list
        }
    }

    deinit {
        unsafe curl_slist_free_all(first)
    }
}
