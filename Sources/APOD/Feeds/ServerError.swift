internal import JSON
internal import Transfer

/// An error object in the body of a response.
struct ServerError {
    let code: String
    let message: String

    /// The names of the members that an error object may have.
    static let memberNames: Set = ["code", "message", "msg", "error"]
}

extension ServerError {
    /// - Parameter body: The body of a response; `nil` results from a body that is not an error object.
    init?(body: [UInt8]) {
        guard let members = try? RawJSON(body[...]).members(named: Self.memberNames) else {
            return nil
        }
        self.init(members)
    }

    /// - Parameter members: The members of an object that ``memberNames`` names.
    init?(_ members: [String: RawJSON]) {
        if let inner = try? members["error"]?.members(named: Self.memberNames),
            let code = Self.text(inner["code"])
        {
            self.init(code: code, message: Self.text(inner["message"]) ?? "")
        } else if let code = Self.text(members["code"]) {
            // WordPress.
            self.init(code: code, message: Self.text(members["message"]) ?? "")
        } else if let code = members["code"].flatMap({
            Int(String(decoding: $0.bytes.prefix(20), as: UTF8.self))
        }), let message = Self.text(members["msg"]) {
            // The gateway in front of v1.
            self.init(code: String(code), message: message)
        } else {
            return nil
        }
    }

    private static func text(_ value: RawJSON?) -> String? {
        guard let value, value.bytes.count <= 4 << 10 else { return nil }
        return value.string.map { TextNormalizer.line(String($0.prefix(200))) }
    }
}

/// The meaning of a failed request to a v1 server.
enum V1Refusal: Hashable, Sendable {
    /// Nothing was published on that day.
    case notPublished
    /// The requested day is after the newest day.
    case tooNew(newest: Day)
    /// An internal error, which one bad day in a range can cause.
    case serverError
    case other

    init(_ error: TransferError) {
        guard case .refused(_, let status, let body) = error else {
            self = .other
            return
        }
        let message = ServerError(body: body)?.message ?? ""
        switch status {
        case 404 where message.hasPrefix("No data available"): self = .notPublished
        case 400: self = Self.newest(in: message).map(Self.tooNew) ?? .other
        case 500: self = .serverError
        default: self = .other
        }
    }

    /// Parses the last date of a message such as "must be between Jun 16, 1995 and Oct 05, 2026".
    private static func newest(in message: String) -> Day? {
        guard message.contains("must be between") else { return nil }
        let words = message.split { !$0.isLetter && !$0.isNumber }.suffix(3).map(String.init)
        guard words.count == 3, let day = Int(words[1]), let year = Int(words[2]),
            let month = Day.months.firstIndex(where: { $0.hasPrefix(words[0].lowercased()) })
        else { return nil }
        return Day(year: year, month: month + 1, day: day)
    }
}
