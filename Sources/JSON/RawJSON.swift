internal import Glibc

/// A JSON value that is not decoded yet: the bytes of it, in which only the ends of its parts are sought.
///
/// The list of a server is split in this way, so that an element that is malformed or nested too deeply is rejected alone.
/// ``JSON`` would reject the whole list. The search does not recurse, so that no depth of nesting exhausts the stack.
package struct RawJSON: Sendable {
    package let bytes: ArraySlice<UInt8>

    /// Creates a value of JSON in UTF-8; errors in it are found only when a method reads that part of it.
    package init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// Returns the first `limit` elements of a list, and whether there are more; `nil` unless this is a list.
    package func elements(
        limit: Int
    ) throws(JSON.Malformed) -> (elements: [RawJSON], isCut: Bool)? {
        var reader = JSONReader(bytes)
        guard reader.take("[") else { return nil }
        var elements: [RawJSON] = []
        if !reader.take("]") {
            repeat {
                if elements.count == limit { return (elements, true) }
                elements.append(try reader.rawValue())
            } while reader.take(",")
            guard reader.take("]") else { throw reader.malformed }
        }
        try reader.checkEnd()
        return (elements, false)
    }

    /// Returns the values of the members in `names`, those that exist; `nil` unless this is an object.
    ///
    /// If an object has several members with one name, the last one counts. A name that is written with escapes is ignored.
    package func members(named names: Set<String>) throws(JSON.Malformed) -> [String: RawJSON]? {
        var reader = JSONReader(bytes)
        guard reader.take("{") else { return nil }
        var members: [String: RawJSON] = [:]
        members.reserveCapacity(names.count)
        if !reader.take("}") {
            repeat {
                let key = try reader.rawValue().bytes
                guard key.first == UInt8(ascii: "\""), reader.take(":") else {
                    throw reader.malformed
                }
                let value = try reader.rawValue()
                let name = key.dropFirst().dropLast()
                if let name = names.first(where: { $0.utf8.elementsEqual(name) }) {
                    members[name] = value
                }
            } while reader.take(",")
            guard reader.take("}") else { throw reader.malformed }
        }
        try reader.checkEnd()
        return members
    }

    /// The decoded string; `nil` unless this is a string.
    ///
    /// Invalid UTF-8, invalid escapes and one half of a surrogate pair become U+FFFD. Control characters need no escapes.
    package var string: String? {
        let quote = UInt8(ascii: "\"")
        if bytes.count >= 2, bytes.first == quote, bytes.last == quote {
            let content = bytes.dropFirst().dropLast()
            let isPlain = content.allSatisfy { $0 != quote && $0 != UInt8(ascii: "\\") }
            if isPlain { return String(decoding: content, as: UTF8.self) }
        }
        let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
        var reader = JSONReader(repaired[...], repairsStrings: true)
        return (try? reader.document())?.string
    }
}

extension JSONReader {
    /// Skips a value, and returns its bytes; brackets are only counted, so that `[}` is accepted.
    fileprivate mutating func rawValue() throws(JSON.Malformed) -> RawJSON {
        skipWhiteSpace()
        let start = position
        var depth = 0
        repeat {
            // At the end of the loop, the optimizer of Swift 6.3.1 would merge this call with the one before `start`.
            skipWhiteSpace()
            switch byte {
            case nil: throw malformed
            case UInt8(ascii: "\""): try skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { throw malformed }
                depth -= 1
                position += 1
            case UInt8(ascii: ",") where depth > 0, UInt8(ascii: ":") where depth > 0: position += 1
            default: try skipWord()
            }
        } while depth > 0
        return RawJSON(bytes[start..<position])
    }

    private mutating func skipString() throws(JSON.Malformed) {
        position += 1
        while let quote = bytes.firstQuote(from: position) {
            // A quote after an odd number of backslashes is escaped.
            let escapes = bytes[position..<quote].reversed().prefix { $0 == UInt8(ascii: "\\") }
            position = quote + 1
            if escapes.count.isMultiple(of: 2) { return }
        }
        position = bytes.endIndex
        throw malformed
    }

    /// Skips a number, `true`, `false` or `null`.
    private mutating func skipWord() throws(JSON.Malformed) {
        let start = position
        while let byte, Self.mayBeInWord(byte) { position += 1 }
        guard position > start else { throw malformed }
    }

    /// Whether `byte` is a digit, a letter or a sign of a number.
    private static func mayBeInWord(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || "+-.".utf8.contains(byte)
    }
}

extension ArraySlice<UInt8> {
    /// The position of the first quote at or after `start`, by memchr(3); `nil` if there is none.
    fileprivate func firstQuote(from start: Int) -> Int? {
        let quote = CInt(UInt8(ascii: "\""))
        return unsafe withUnsafeBytes { buffer in
            guard start < endIndex, let base = buffer.baseAddress,
                let found = unsafe memchr(base + (start - startIndex), quote, endIndex - start)
            else { return nil }
            return unsafe startIndex + (UnsafeRawPointer(found) - base)
        }
    }
}
