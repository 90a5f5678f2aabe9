internal import JSON

/// The error that a feed's server describes as JSON in the body of its response.
struct ServerError {
    /// A word such as `OVER_RATE_LIMIT`, or a number.
    let code: String
    /// A sentence; empty if the server sends none.
    let message: String

    /// The members of an object that ``init(members:)`` reads.
    static let memberNames: Set = ["code", "message", "msg", "error"]

    /// Parses the body of a response; `nil` if it is not an error object.
    init?(body: [UInt8]) {
        guard let members = try? RawJSON(body[...]).members(named: Self.memberNames) else {
            return nil
        }
        self.init(members: members)
    }

    /// Reads the members of an object; `nil` if they are not those of an error.
    ///
    /// - The gateway in front of v1: `{"error": {"code": "OVER_RATE_LIMIT", "message": "…"}}`
    /// - WordPress: `{"code": "apod_basic_not_found", "message": "…"}`
    /// - v1: `{"code": 400, "msg": "Date must be between …"}`
    init?(members: [String: RawJSON]) {
        let membersOfError = (try? members["error"]?.members(named: Self.memberNames)) ?? [:]
        let hasInnerError = Self.text(membersOfError["code"]) != nil
        let described = hasInnerError ? membersOfError : members
        if let code = Self.text(described["code"]) {
            self.code = code
            message = Self.text(described["message"]) ?? ""
        } else if let message = Self.text(members["msg"]), let number = members["code"]?.bytes,
            // No `Int` has more than 20 characters.
            let code = Int(String(decoding: number.prefix(20), as: UTF8.self))
        {
            self.code = String(code)
            self.message = message
        } else {
            return nil
        }
    }

    /// The first 200 characters of a JSON string in one line; `nil` for other values, and for a string of more than 4 KiB.
    private static func text(_ value: RawJSON?) -> String? {
        guard let value, value.bytes.count <= 4 << 10 else { return nil }
        return value.string.map { TextNormalizer.line(String($0.prefix(200))) }
    }
}
