internal import CCurl

/// Header lines in the form that libcurl wants; see curl_slist_append(3).
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
