internal import FoundationEssentials

/// Finds the parts of a JSON text without decoding them.
///
/// A list is cut into its elements, an object into the members that are asked for. Nothing is allocated
/// for the rest, and nothing recurses: what a part holds, and how deep, matters only where it is decoded.
struct JSONSlices {
    struct Malformed: Error {}

    private let bytes: ArraySlice<UInt8>
    private var place: Int

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    /// The elements of a list, `nil` where `bytes` are no list.
    ///
    /// - Returns: The first `limit` elements, and whether there are more. What follows those is not read.
    static func elements(
        of bytes: ArraySlice<UInt8>, limit: Int
    ) throws(Malformed) -> (elements: [ArraySlice<UInt8>], isCut: Bool)? {
        var slices = Self(bytes)
        guard slices.take("[") else { return nil }
        var elements: [ArraySlice<UInt8>] = []
        if !slices.take("]") {
            repeat {
                if elements.count == limit { return (elements, true) }
                elements.append(try slices.value())
            } while slices.take(",")
            guard slices.take("]") else { throw Malformed() }
        }
        try slices.end()
        return (elements, false)
    }

    /// The values of an object's members that are called one of `names`, `nil` where `bytes` are no object.
    static func members(
        of bytes: ArraySlice<UInt8>, named names: Set<String>
    ) throws(Malformed) -> [String: ArraySlice<UInt8>]? {
        var slices = Self(bytes)
        guard slices.take("{") else { return nil }
        var members: [String: ArraySlice<UInt8>] = [:]
        if !slices.take("}") {
            repeat {
                let key = try slices.value()
                guard key.first == UInt8(ascii: "\""), slices.take(":") else { throw Malformed() }
                let value = try slices.value()
                // No name that is asked for is longer.
                guard key.count <= 34 else { continue }
                let name = String(decoding: key.dropFirst().dropLast(), as: UTF8.self)
                if names.contains(name) { members[name] = value }
            } while slices.take(",")
            guard slices.take("}") else { throw Malformed() }
        }
        try slices.end()
        return members
    }

    /// The text of a string, `nil` where `value` is none.
    ///
    /// What is no UTF-8 in it is replaced.
    static func string(_ value: ArraySlice<UInt8>) -> String? {
        guard value.count >= 2, value.first == UInt8(ascii: "\"") else { return nil }
        let content = value.dropFirst().dropLast()
        guard content.contains(UInt8(ascii: "\\")) else {
            return String(decoding: content, as: UTF8.self)
        }
        let text = String(decoding: value, as: UTF8.self)
        return try? JSONDecoder().decode(String.self, from: Data(text.utf8))
    }

    // MARK: Reading

    private var byte: UInt8? { place < bytes.endIndex ? bytes[place] : nil }

    private mutating func skipBlanks() {
        while let byte, byte == 0x20 || 0x09...0x0A ~= byte || byte == 0x0D { place += 1 }
    }

    private mutating func take(_ expected: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard byte == UInt8(ascii: expected) else { return false }
        place += 1
        return true
    }

    private mutating func end() throws(Malformed) {
        skipBlanks()
        guard byte == nil else { throw Malformed() }
    }

    /// The value that comes now: brackets are counted, not paired.
    private mutating func value() throws(Malformed) -> ArraySlice<UInt8> {
        skipBlanks()
        let start = place
        var depth = 0
        repeat {
            switch byte {
            case nil: throw Malformed()
            case UInt8(ascii: "\""): try skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { throw Malformed() }
                depth -= 1
                place += 1
            case UInt8(ascii: ",") where depth > 0, UInt8(ascii: ":") where depth > 0: place += 1
            default: try skipWord()
            }
            if depth > 0 { skipBlanks() }
        } while depth > 0
        return bytes[start..<place]
    }

    private mutating func skipString() throws(Malformed) {
        place += 1
        while let byte, byte != UInt8(ascii: "\"") {
            place += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard byte != nil else { throw Malformed() }
        place += 1
    }

    /// Skips a number, `true`, `false` or `null`.
    private mutating func skipWord() throws(Malformed) {
        let start = place
        while let byte {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                place += 1
                continue
            default: break
            }
            break
        }
        guard place > start else { throw Malformed() }
    }
}
