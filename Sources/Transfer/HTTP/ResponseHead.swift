internal import CCurl
internal import Platform

/// The status line and header fields of a response, as libcurl delivers them line by line.
struct ResponseHead: Hashable, Sendable {
    /// The requested address.
    let address: WebURL
    /// The status code; 0 before the status line was received, or if it is unreadable.
    private(set) var status = 0
    /// The values of the header fields by their names, in lower case.
    private(set) var headers: [String: String] = [:]
    /// Whether the head of the final response is complete; ``Exchange`` then adds no more lines.
    private(set) var hasEnd = false

    init(_ address: WebURL) {
        self.address = address
    }

    /// Adds a line, including its end: `Content-Length: 1000\r\n`, for example.
    ///
    /// The head of the final response replaces that of an interim one, status 100 to 199. libcurl passes on no head of a proxy.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        let lineBreaks = UInt8(ascii: "\n")...UInt8(ascii: "\r")
        let line = unsafe Array(bytes.prefix { !lineBreaks.contains($0) })
        if line.starts(with: "HTTP/".utf8) {
            headers = [:]
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            status = words.dropFirst().first.flatMap { Int($0) } ?? 0
        } else if line.isEmpty {
            hasEnd = status >= 200
        } else {
            addField(line)
        }
    }

    /// Adds a field such as `ETag: "3e8"`; other lines are ignored.
    ///
    /// If a name occurs several times, the first field counts, because the program reads no field that is a list. If lengths
    /// contradict each other, the length becomes empty, so that ``Exchange`` rejects the response.
    private mutating func addField(_ line: [UInt8]) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        // Blanks and tabs around a value do not belong to it; see RFC 9110, 5.5.
        let value = String(decoding: line[(colon + 1)...].withoutBlanks, as: UTF8.self)
        if headers[name] == nil {
            headers[name] = value
        } else if name == "content-length", headers[name] != value {
            headers[name] = ""
        }
    }

    /// The announced length; `nil` if it is missing or unreadable, or if the body is in chunks; see RFC 9112, 6.3.
    var contentLength: Int? {
        guard headers["transfer-encoding"] == nil, let text = headers["content-length"],
            text.utf8.allSatisfy("0123456789".utf8.contains)
        else { return nil }
        return Int(text)
    }

    /// A validator, such as `"3e8"`: a later response with the same one has the same bytes; `nil` if there is none.
    ///
    /// A weak tag such as `W/"3e8"` proves nothing. Neither does a `Last-Modified` within the last minute, because the file
    /// may have changed twice in that second; see RFC 9110, 8.8.2.2 and 13.1.5.
    var strongValidator: String? {
        if let tag = headers["etag"] { return tag.hasPrefix("\"") ? tag : nil }
        guard let modified = headers["last-modified"], let change = httpDate(modified),
            let date = headers["date"].flatMap(httpDate), date - change >= 60
        else { return nil }
        return modified
    }

    /// The compressions of the body: `gzip` for `Content-Encoding: GZIP, utf-8`; see RFC 9110, 8.4.1.
    ///
    /// Words that name no compression, such as `utf-8` and `aws-chunked`, which servers also send, are left out.
    var codings: [String] {
        let words = (headers["content-encoding"] ?? "").lowercased().utf8
            .split(separator: UInt8(ascii: ",")).map {
                String(decoding: Array($0)[...].withoutBlanks, as: UTF8.self)
            }
        let known = ["br", "compress", "deflate", "gzip", "x-compress", "x-gzip", "zstd"]
        return words.filter(known.contains)
    }

    var isSuccess: Bool { (200..<300).contains(status) }

    /// Whether the status says that `Location` names the URL to request instead.
    var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }
}

/// Reads `Fri, 20 Nov 2026 04:05:00 GMT`, or another of the three forms of RFC 9110, 5.6.7, as seconds since 1970.
func httpDate(_ text: String) -> Double? {
    // curl_getdate(3) takes many other texts for dates, too.
    guard text.first?.isLetter == true, text.contains(":") else { return nil }
    let date = unsafe curl_getdate(text, nil)
    return date == -1 ? nil : Double(date)
}
