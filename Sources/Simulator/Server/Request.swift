/// What a client asked for, decoded: percent escapes are gone from the path and the query.
struct Request: Sendable {
    var method: String
    var path: String
    var query: [String: String]
    /// By name in lower case.
    var headers: [String: String]
}
