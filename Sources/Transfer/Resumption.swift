/// What must still hold for the rest of a file to be added to its beginning.
struct Resumption: Sendable {
    /// The length of the whole file.
    let total: Int
    /// The header that names the version, and its value.
    let validator: (name: String, value: String)

    /// The promise in the head of a whole answer, `nil` where its rest cannot be asked for.
    ///
    /// A weak ETag says that two versions are as good as one another, not that they are the same.
    init?(_ head: Head) {
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

    /// The header lines that ask for all from `offset` on, of this version only.
    func headers(from offset: Int) -> [String] {
        ["Range: bytes=\(offset)-", "If-Range: \(validator.value)"]
    }

    /// Whether the body behind `head` is what was asked for: all from `offset` on, of this version.
    func accepts(_ head: Head, at offset: Int) -> Bool {
        guard let range = head.headers["Content-Range"].flatMap({ ContentRange($0) }) else {
            return false
        }
        return range.bytes.lowerBound == offset && range.bytes.upperBound == total - 1
            && range.total == total && head.headers[validator.name] == validator.value
    }
}
