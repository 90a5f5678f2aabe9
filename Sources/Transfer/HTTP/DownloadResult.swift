/// What a download into a file resulted in.
package struct DownloadResult: Hashable, Sendable {
    /// The address after redirects.
    package let address: String
    /// The length of the file.
    package let bytes: Int
    /// 64 lower-case hexadecimal digits.
    package let sha256: String
    package let etag: String?
    package let lastModified: String?
}

/// A successful response in memory.
package struct BufferedResponse: Hashable, Sendable {
    /// The header fields; their names are in lower case.
    package let headers: [String: String]
    /// Decoded if the server compressed it.
    package let body: [UInt8]

    package init(headers: [String: String] = [:], body: [UInt8]) {
        self.headers = headers
        self.body = body
    }

    /// The time of the server when it answered, in seconds since 1970: `Date`, and the `Age` of a cached response.
    package var date: Double? {
        headers["date"].flatMap(httpDate).map {
            $0 + Double(max(0, headers["age"].flatMap { Int($0) } ?? 0))
        }
    }
}
