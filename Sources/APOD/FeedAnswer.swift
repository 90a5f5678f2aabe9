/// What a feed's server answered with a status below 400.
package struct FeedAnswer: Sendable {
    package let status: Int
    /// The fields of the answer's head, their names in lower case.
    package let headers: [String: String]
    package let body: [UInt8]

    package init(status: Int = 200, headers: [String: String] = [:], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
