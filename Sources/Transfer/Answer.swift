/// A whole answer in memory.
package struct Answer: Hashable, Sendable {
    /// Where it came from in the end, after redirects.
    package let address: String
    /// 200 to 299.
    package let status: Int
    package let headers: Headers
    /// Decoded where the server compressed it.
    package let body: [UInt8]
}
