internal import CCurl
internal import Platform

/// The status line and header fields of a response, as libcurl delivers them line by line.
struct ResponseHead: Hashable, Sendable {
    /// The address that was requested.
    let address: WebURL
    /// 0 before the status line, or if that is unreadable.
    private(set) var status = 0
    /// The values of the header fields by their names, in lower case.
    private(set) var headers: [String: String] = [:]
    /// Whether the last line of the head of a final response was received; ``Exchange`` adds no line after that.
    private(set) var hasEnd = false

    init(_ address: WebURL) {
        self.address = address
    }

    /// Adds one line, including its end, which may be any control character for a line or page.
    ///
    /// The head of an interim response, status 100 to 199, is replaced by the next one. libcurl passes on no head of
    /// a proxy.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        let line = unsafe Array(bytes.prefix { !(0x0A...0x0D ~= $0) })
        if line.starts(with: "HTTP/".utf8) {
            headers = [:]
            let line = String(decoding: line, as: UTF8.self)
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if line.isEmpty {
            hasEnd = status >= 200
        } else {
            addField(line)
        }
    }

    /// Adds `Name: value`; other lines are ignored.
    ///
    /// Of fields with one name the first is used: none of those that are read is a list. Contradictory lengths
    /// become an empty one, which is present and unreadable: ``Exchange`` rejects the response.
    private mutating func addField(_ line: [UInt8]) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        // Blanks and tabs at both ends are no part of a value; see RFC 9110, 5.5.
        let value = String(decoding: line[(colon + 1)...].withoutBlanks, as: UTF8.self)
        if headers[name] == nil {
            headers[name] = value
        } else if name == "content-length", headers[name] != value {
            headers[name] = ""
        }
    }

    /// The announced length; `nil` if there is none, it is unreadable, or the body is in chunks; see RFC 9112, 6.3.
    var contentLength: Int? {
        guard headers["transfer-encoding"] == nil, let text = headers["content-length"],
            text.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
        else { return nil }
        return Int(text)
    }

    /// The value of `If-Range` that a later response of the same bytes matches; `nil` if none would prove it.
    ///
    /// A weak tag does not, nor does a time in the last minute: the file may have changed twice in that second; see RFC
    /// 9110, 8.8.2.2 and 13.1.5.
    var strongValidator: String? {
        if let tag = headers["etag"] { return tag.hasPrefix("\"") ? tag : nil }
        guard let modified = headers["last-modified"], let change = httpDate(modified),
            let date = headers["date"].flatMap(httpDate), date - change >= 60
        else { return nil }
        return modified
    }

    /// The codings of the body; see RFC 9110, 8.4.1.
    ///
    /// Other words, such as `utf-8` and `aws-chunked`, are mistakes of servers, and say nothing.
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

/// Reads a date in any of the three forms of RFC 9110, 5.6.7, as seconds since 1970.
func httpDate(_ text: String) -> Double? {
    // curl_getdate(3) reads much more than dates of HTTP: hence the conditions.
    guard text.first?.isLetter == true, text.contains(":") else { return nil }
    let date = unsafe curl_getdate(text, nil)
    return date == -1 ? nil : Double(date)
}
