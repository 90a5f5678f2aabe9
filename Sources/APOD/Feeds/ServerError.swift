internal import JSON

/// An error object in the body of a response, in one of three forms.
struct ServerError {
    let code: String
    let message: String

    static let memberNames: Set = ["code", "message", "msg", "error"]

    /// - Parameter body: The body of a response; `nil` results from a body that is not an error object.
    init?(body: [UInt8]) {
        guard let members = try? RawJSON(body[...]).members(named: Self.memberNames) else {
            return nil
        }
        self.init(members)
    }

    /// - Parameter members: The members of an object that ``memberNames`` names.
    init?(_ members: [String: RawJSON]) {
        // The gateway in front of v1: {"error": {"code": "...", "message": "..."}}
        let inner = (try? members["error"]?.members(named: Self.memberNames)) ?? [:]
        let members = Self.text(inner["code"]) == nil ? members : inner
        // WordPress: {"code": "...", "message": "..."}; v1: {"code": 400, "msg": "..."}
        let number = Self.text(members["msg"]) == nil ? nil : members["code"]?.integer
        guard let code = Self.text(members["code"]) ?? number.map({ "\($0)" }) else { return nil }
        self.code = code
        message = Self.text(members["message"] ?? members["msg"]) ?? ""
    }

    /// The first 200 characters of a string on one line; `nil` for other values and for more than 4 KiB.
    private static func text(_ value: RawJSON?) -> String? {
        guard let value, value.bytes.count <= 4 << 10 else { return nil }
        return value.string.map { TextNormalizer.line(String($0.prefix(200))) }
    }
}
