/// The body of a feed's answer, taken apart: entries or an error, in either shape.
enum AnswerBody: Sendable {
    /// The JSON of each element; `isCut` where there are more than were asked for.
    case elements([ArraySlice<UInt8>], isCut: Bool)
    case error(FeedKind, code: String, message: String)

    /// - Parameters:
    ///   - body: The bytes that came.
    ///   - limit: The most elements that are read.
    ///   - address: Where the answer came from.
    /// - Throws: ``FeedError/unusable(_:)`` where the body is no answer of a feed.
    init(_ body: [UInt8], limit: Int, from address: WebAddress) throws(FeedError) {
        let content = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body[...]
        do throws(JSONSlices.Malformed) {
            if let list = try JSONSlices.elements(of: content, limit: limit) {
                self = .elements(list.elements, isCut: list.isCut)
            } else if let error = try Self.error(in: content) {
                self = error
            } else {
                self = .elements([content], isCut: false)
            }
        } catch {
            throw .unusable("\(address) answered \(Self.description(of: content))")
        }
    }

    /// The error that an object is, `nil` where it is none.
    ///
    /// There are three ways to refuse: WordPress's, v1's, and that of the gateway before v1.
    private static func error(
        in object: ArraySlice<UInt8>
    ) throws(JSONSlices.Malformed) -> AnswerBody? {
        let names: Set = ["code", "message", "msg", "error"]
        guard let fields = try JSONSlices.members(of: object, named: names) else {
            throw JSONSlices.Malformed()
        }
        func text(_ name: String, of fields: [String: ArraySlice<UInt8>]) -> String? {
            guard let value = fields[name], value.count <= 4 << 10 else { return nil }
            return JSONSlices.string(value).map { TextNormalizer.line(String($0.prefix(200))) }
        }
        if let inner = try fields["error"].flatMap({ value throws(JSONSlices.Malformed) in
            try JSONSlices.members(of: value, named: names)
        }), let code = text("code", of: inner) {
            return .error(.v1, code: code, message: text("message", of: inner) ?? "")
        }
        if let code = text("code", of: fields) {
            return .error(.basic, code: code, message: text("message", of: fields) ?? "")
        }
        let number = fields["code"].flatMap { Int(String(decoding: $0.prefix(20), as: UTF8.self)) }
        guard let number, let message = text("msg", of: fields) else { return nil }
        return .error(.v1, code: String(number), message: message)
    }

    /// What came instead, with its beginning.
    private static func description(of content: ArraySlice<UInt8>) -> String {
        let beginning = TextNormalizer.line(String(decoding: content.prefix(400), as: UTF8.self))
        let excerpt = "\"\(beginning.prefix(60))\(beginning.count > 60 ? "…" : "")\""
        return switch beginning.first {
        case nil: "with an empty body"
        case "<": "HTML in place of JSON: \(excerpt)"
        case "{", "[": "JSON that no feed sends: \(excerpt)"
        default: "text in place of JSON: \(excerpt)"
        }
    }
}
