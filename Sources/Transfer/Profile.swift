/// How every request of a client is made.
struct Profile: Sendable {
    /// The `User-Agent`.
    let agent: String
    let limits: Limits
    /// The authorities that are trusted; `nil` for those of the system.
    let caFile: String?
}
