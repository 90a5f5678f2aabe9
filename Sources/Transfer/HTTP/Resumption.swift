/// The conditions under which the rest of a file may be appended to its beginning.
struct Resumption: Sendable {
    /// The length of the whole file.
    let total: Int
    /// The header that names the version, and its value.
    let validator: (name: String, value: String)

    /// The validator of a complete response; `nil` if the server does not support range requests for it.
    ///
    /// A weak ETag identifies equivalent versions, not identical bytes; see RFC 9110, 8.8.1.
    init?(_ head: ResponseHead) {
        guard let total = head.headers.contentLength,
            head.headers["Accept-Ranges"]?.lowercased() != "none"
        else { return nil }
        self.total = total
        if let etag = head.headers["ETag"], etag.hasPrefix("\"") {
            validator = ("ETag", etag)
        } else if let date = head.headers["Last-Modified"], !date.isEmpty {
            validator = ("Last-Modified", date)
        } else {
            return nil
        }
    }

    /// The header lines that request the bytes from `offset` on, of this version only.
    func headers(from offset: Int) -> [String] {
        ["Range: bytes=\(offset)-", "If-Range: \(validator.value)"]
    }

    /// Whether the body of `head` is the requested one: all bytes from `offset` on, of this version.
    func accepts(_ head: ResponseHead, at offset: Int) -> Bool {
        guard let range = head.headers["Content-Range"].flatMap({ ContentRange($0) }) else {
            return false
        }
        return range.bytes.lowerBound == offset && range.bytes.upperBound == total - 1
            && range.total == total && head.headers[validator.name] == validator.value
    }
}

/// The part of a file that a response contains: the value of a `Content-Range`.
struct ContentRange: Hashable, Sendable {
    /// The first byte and the last, from 0.
    let bytes: ClosedRange<Int>
    /// The length of the whole file.
    let total: Int

    /// Reads `bytes 100-199/200`, with the whole length; see RFC 9110, 14.4.
    init?(_ text: String) {
        guard text.lowercased().hasPrefix("bytes ") else { return nil }
        let numbers = text.dropFirst(6).split(separator: "/").flatMap { $0.split(separator: "-") }
            .map { Int($0) }
        guard numbers.count == 3, let first = numbers[0], let last = numbers[1],
            let total = numbers[2], 0 <= first, first <= last, last < total
        else { return nil }
        bytes = first...last
        self.total = total
    }
}
