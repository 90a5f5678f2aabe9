/// A successful response in memory: the result of ``Client/get(_:as:limit:)``.
package struct BufferedResponse: Hashable, Sendable {
    /// The values of the header fields by their names, in lower case.
    package let headers: [String: String]
    /// The body; if the server compressed it, decompressed.
    package let body: [UInt8]

    package init(headers: [String: String] = [:], body: [UInt8]) {
        self.headers = headers
        self.body = body
    }

    /// The time of the server when this client received the response, in seconds since 1970; `nil` if the server sent none.
    package var serverTime: Double? {
        guard let date = headers["date"].flatMap(httpDate) else { return nil }
        // `Date` is when the response was made, and `Age` for how many seconds a cache had stored it; see RFC 9111.
        let age = headers["age"].flatMap { Int($0) } ?? 0
        return date + Double(max(0, age))
    }
}
