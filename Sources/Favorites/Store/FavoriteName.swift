internal import Platform

/// Where something lies in `favorites/`: any bytes, relative to the folder.
///
/// It always stays inside: no part of it is empty, `.` or `..`, none holds a zero.
package struct FavoriteName: Hashable, Sendable {
    /// The parts, joined by slashes.
    package let bytes: ArraySlice<UInt8>

    private static let slash = UInt8(ascii: "/")

    /// Takes what readdir(3) or a record said, `nil` where that could lead elsewhere.
    package init?(_ bytes: ArraySlice<UInt8>) {
        guard Self.staysInside(bytes) else { return nil }
        self.bytes = bytes
    }

    package init?(_ bytes: [UInt8]) { self.init(bytes[...]) }

    /// The same with bytes of its own: to be kept when the listing that it is part of is not.
    init(copying name: FavoriteName) { bytes = Array(name.bytes)[...] }

    private static func staysInside(_ bytes: ArraySlice<UInt8>) -> Bool {
        var start = bytes.startIndex
        for end in start...bytes.endIndex where end == bytes.endIndex || bytes[end] == slash {
            guard isName(bytes[start..<end]) else { return false }
            start = end + 1
        }
        return true
    }

    private static func isName(_ part: ArraySlice<UInt8>) -> Bool {
        guard 1...255 ~= part.count, !part.contains(0) else { return false }
        return part.count > 2 || part.contains { $0 != UInt8(ascii: ".") }
    }

    package init?(_ text: String) { self.init(Array(text.utf8)) }

    /// The folders above it and its own name.
    package var parts: [[UInt8]] { bytes.split(separator: Self.slash).map(Array.init) }

    /// The folders above it, none where it lies in `favorites/` itself.
    package var folders: [[UInt8]] { parts.dropLast() }

    /// How many parts there are.
    var depth: Int { bytes.reduce(1) { $1 == Self.slash ? $0 + 1 : $0 } }

    /// Its own name.
    package var last: [UInt8] { Array(lastPart) }

    /// ``last``, without a copy.
    var lastPart: ArraySlice<UInt8> {
        bytes.lastIndex(of: Self.slash).map { bytes[($0 + 1)...] } ?? bytes
    }

    /// The name for a person; bytes that are no text show as U+FFFD.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether ``text`` says all there is.
    package var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }

    package static func == (left: FavoriteName, right: FavoriteName) -> Bool {
        left.bytes.compared(with: right.bytes) == 0
    }
}

extension FavoriteName: Comparable {
    package static func < (left: FavoriteName, right: FavoriteName) -> Bool {
        left.bytes.compared(with: right.bytes) < 0
    }
}

extension FavoriteName {
    /// The bytes in letters, digits and `%FF` for all others: nothing is lost.
    package var escaped: String {
        String(
            decoding: bytes.flatMap { byte -> [UInt8] in
                switch byte {
                case 0x25: Array("%25".utf8)
                case 0x20...0x7E: [byte]
                default:
                    Array(
                        "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8)
                }
            }, as: UTF8.self)
    }

    /// Reads what ``escaped`` wrote.
    package init?(escaped text: String) { self.init(Percent.decoded(Array(text.utf8))) }
}
