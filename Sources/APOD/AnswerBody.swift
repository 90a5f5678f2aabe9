internal import FoundationEssentials

/// The body of a feed's answer, read once: entries or an error, in either shape.
enum AnswerBody: Sendable {
    /// `nil` stands for an element that is no object.
    case elements([Element?])
    case error(FeedKind, code: String, message: String)

    /// - Throws: ``FeedError/unusable(_:)`` where the body is no answer of a feed.
    init(_ body: [UInt8], from address: WebAddress) throws(FeedError) {
        // What is no UTF-8 in one text must not cost the others.
        var text = String(decoding: body, as: UTF8.self)
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        guard let answer = try? JSONDecoder().decode(TopLevel.self, from: Data(text.utf8)) else {
            throw .unusable("\(address) answered \(Self.description(of: text))")
        }
        self = answer.body
    }

    /// The shape that `body` has; `nil` where it has neither.
    static func shape(of body: [UInt8], from address: WebAddress) -> Shape {
        switch try? AnswerBody(body, from: address) {
        case .elements(let elements): .entries(elements.lazy.compactMap { $0?.kind }.first)
        case .error(let kind, _, _): .error(kind)
        case nil: .neither
        }
    }

    /// What kind of feed an answer comes from.
    enum Shape: Hashable, Sendable {
        /// No kind where the list is empty.
        case entries(FeedKind?)
        case error(FeedKind)
        case neither
    }

    /// What came instead, with its beginning.
    private static func description(of text: String) -> String {
        let beginning = CleanText.line(String(text.prefix(400)))
        let excerpt = "\"\(beginning.prefix(60))\(beginning.count > 60 ? "…" : "")\""
        return switch beginning.first {
        case nil: "with an empty body"
        case "<": "HTML in place of JSON: \(excerpt)"
        case "{", "[": "JSON that no feed sends: \(excerpt)"
        default: "text in place of JSON: \(excerpt)"
        }
    }
}

/// The top level of an answer.
private struct TopLevel: Decodable {
    let body: AnswerBody

    init(from decoder: any Decoder) throws {
        if let list = try? decoder.singleValueContainer().decode([Lossy].self) {
            body = .elements(list.map(\.element))
        } else if let error = try? Failure(from: decoder) {
            body = .error(error.kind, code: error.code, message: error.message)
        } else {
            body = .elements([try Element(from: decoder)])
        }
    }
}

/// An element whose decoding never fails, so that its array's does not.
private struct Lossy: Decodable {
    let element: Element?

    init(from decoder: any Decoder) {
        element = try? Element(from: decoder)
    }
}

/// The three ways to refuse: WordPress's, v1's, and that of the gateway before v1.
private struct Failure: Decodable {
    let kind: FeedKind
    let code: String
    let message: String

    private enum CodingKeys: String, CodingKey { case code, message, msg, error }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        if let inner = try? fields.nestedContainer(keyedBy: CodingKeys.self, forKey: .error) {
            kind = .v1
            code = try inner.decode(String.self, forKey: .code)
            message = (try? inner.decode(String.self, forKey: .message)) ?? ""
        } else if let number = try? fields.decode(Int.self, forKey: .code) {
            kind = .v1
            code = String(number)
            message = try fields.decode(String.self, forKey: .msg)
        } else {
            kind = .basic
            code = try fields.decode(String.self, forKey: .code)
            message = (try? fields.decode(String.self, forKey: .message)) ?? ""
        }
    }
}
