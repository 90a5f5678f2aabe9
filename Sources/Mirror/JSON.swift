internal import FoundationEssentials

/// A JSON value whose object keys keep the order they are given in.
///
/// The files of the tree are written from it, so that a rewrite keeps what it does not know and
/// changes only what did change. A file that is read comes with its unknown keys sorted by name.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    /// One key of an object and its value.
    package struct Member: Hashable, Sendable {
        package var key: String
        package var value: JSON
    }

    /// Reads a document, at most 512 levels deep.
    ///
    /// - Throws: `DecodingError` where `bytes` are no JSON.
    package init(parsing bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(JSON.self, from: Data(bytes))
    }

    /// The value of `key`, `nil` where this is no object or has no such key.
    package subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    package var string: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }

    package var integer: Int? {
        guard case .integer(let integer) = self else { return nil }
        return integer
    }

    package var bool: Bool? {
        guard case .bool(let bool) = self else { return nil }
        return bool
    }

    package var members: [Member] {
        guard case .object(let members) = self else { return [] }
        return members
    }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
    ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    /// An object without the members whose value is `nil`.
    package init(dictionaryLiteral elements: (String, JSON?)...) {
        self = .object(
            elements.compactMap { key, value in value.map { Member(key: key, value: $0) } })
    }

    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: Decodable {
    package init(from decoder: any Decoder) throws {
        if let keyed = try? decoder.container(keyedBy: Name.self) {
            self = .object(
                try keyed.allKeys.sorted { $0.stringValue < $1.stringValue }.map {
                    Member(key: $0.stringValue, value: try keyed.decode(JSON.self, forKey: $0))
                })
        } else if var list = try? decoder.unkeyedContainer() {
            var elements: [JSON] = []
            while !list.isAtEnd { elements.append(try list.decode(JSON.self)) }
            self = .array(elements)
        } else {
            self = try Self.scalar(decoder.singleValueContainer())
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSON {
        if let string = try? container.decode(String.self) { return .string(string) }
        if let integer = try? container.decode(Int.self) { return .integer(integer) }
        if let bool = try? container.decode(Bool.self) { return .bool(bool) }
        if container.decodeNil() { return .null }
        return .number(try container.decode(Double.self))
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
