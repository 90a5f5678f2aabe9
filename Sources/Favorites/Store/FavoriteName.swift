internal import Mirror
internal import Platform

/// The path of an item relative to `favorites/`, in any bytes.
///
/// It never leads out of the folder: no part is empty, `.` or `..`, or contains a zero.
package struct FavoriteName: Hashable, Sendable {
    /// The parts, joined by slashes.
    package let bytes: [UInt8]

    private static let slash = UInt8(ascii: "/")

    /// Checks a path of readdir(3) or of a record; `nil` if it could lead out of the folder.
    package init?(_ bytes: some Collection<UInt8>) {
        self.bytes = Array(bytes)
        let parts = self.bytes.split(separator: Self.slash, omittingEmptySubsequences: false)
        guard parts.allSatisfy(Self.isName) else { return nil }
    }

    private static func isName(_ part: ArraySlice<UInt8>) -> Bool {
        guard 1...255 ~= part.count, !part.contains(0) else { return false }
        return part.count > 2 || part.contains { $0 != UInt8(ascii: ".") }
    }

    package init?(_ text: String) { self.init(Array(text.utf8)) }

    /// The names of the folders above it, and its own name.
    package var parts: [[UInt8]] { bytes.split(separator: Self.slash).map(Array.init) }

    /// The names of the folders above it, empty if it lies in `favorites/` itself.
    package var folders: [[UInt8]] { parts.dropLast() }

    /// The path in the tree.
    var path: [UInt8] { Array("\(Layout.favorites)/".utf8) + bytes }

    var folderPath: [UInt8] { Array(path.dropLast(last.count + 1)) }

    package var last: [UInt8] { parts.last ?? [] }

    /// The name for display; bytes that are no UTF-8 become U+FFFD.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether ``text`` has all bytes.
    package var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// The name in ASCII: other bytes, control characters and `%` are written as `%FF`.
    package var escaped: String {
        bytes.percentEncoded { $0 != UInt8(ascii: "%") && 0x20...0x7E ~= $0 }
    }

    package init?(escaped text: String) { self.init(text.utf8.percentDecoded) }
}

extension FavoriteName: Comparable {
    package static func < (left: FavoriteName, right: FavoriteName) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension FavoriteName {
    /// The paths of the folders above the item, the outermost first.
    var above: [FavoriteName] {
        let folders = self.folders
        return folders.indices.compactMap { last in
            FavoriteName(Array(folders[...last].joined(separator: [UInt8(ascii: "/")])))
        }
    }
}
