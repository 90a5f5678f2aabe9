/// A JSON value, such as the record of a day: ``init(parsing:)`` reads it, and ``document`` and ``line`` write it.
///
/// An object keeps the order of its members, including members that the program does not know. If a text that ``document``
/// wrote is read, changed and written again, only the bytes of changed values differ.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that fits into `Int`.
    case integer(Int)
    /// Any other number.
    case number(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package var key: String
        package var value: JSON

        package init(key: String, value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// The text is not JSON, or is nested too deeply.
    package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
        /// The offset in bytes of the first error.
        package let position: Int

        package var description: String { "malformed JSON at byte \(position)" }
    }

    /// Parses a document of at most 512 levels of nesting.
    package init(parsing bytes: [UInt8]) throws(Malformed) {
        var reader = JSONReader(bytes[...])
        self = try reader.document()
    }

    /// The value of the first `key`; `nil` for a missing key and for a value that is not an object.
    package subscript(key: String) -> JSON? { members.first { $0.key == key }?.value }

    package var string: String? { if case .string(let string) = self { string } else { nil } }

    package var integer: Int? { if case .integer(let integer) = self { integer } else { nil } }

    /// The value if it is an integer from 0 to 2^53, which every reader of JSON can represent.
    ///
    /// Code that adds numbers from a file uses this, because the sums do not overflow.
    package var count: Int? {
        guard let integer, 0...(1 << 53) ~= integer else { return nil }
        return integer
    }

    package var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

    /// The members of an object, of which several may have one key; empty for every other value.
    package var members: [Member] { if case .object(let members) = self { members } else { [] } }

    /// The elements of an array; empty for every other value.
    package var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
    ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    /// Creates an object; members whose value is `nil` are omitted.
    package init(dictionaryLiteral elements: (String, JSON?)...) {
        self = .object(
            elements.compactMap { key, value in value.map { Member(key: key, value: $0) } })
    }

    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}
