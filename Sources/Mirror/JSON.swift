/// A JSON value whose object keys keep the order they are given in.
///
/// The files of the tree are written from it, so that a rewrite keeps what it does not know and
/// changes only what did change.
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

        package init(key: String, value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// That some bytes are no JSON.
    package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
        /// How many bytes were.
        package let position: Int

        package var description: String { "this is no JSON after \(position) bytes" }
    }

    /// Reads a document, at most 512 levels deep.
    package init(parsing bytes: [UInt8]) throws(Malformed) {
        self = try JSONReader.value(of: bytes)
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
