internal import Mirror
internal import Platform

/// The path of an item relative to `favorites/`, in any bytes.
///
/// It never leads out of the folder: each part is the name of an item, of 1 to 255 bytes without a zero byte, and not
/// `.` or `..`.
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

    package init?(_ text: String) { self.init(Array(text.utf8)) }

    /// Reads ``escaped``.
    package init?(escaped text: String) { self.init(text.utf8.percentDecoded) }

    private static func isName(_ part: ArraySlice<UInt8>) -> Bool {
        let isDots = [".", ".."].contains { part.elementsEqual($0.utf8) }
        return 1...255 ~= part.count && !part.contains(0) && !isDots
    }

    /// The names of the folders in `favorites/` that contain the item, the outermost first, and its own name.
    package var parts: [[UInt8]] { bytes.split(separator: Self.slash).map(Array.init) }

    /// ``parts`` without its own name: empty if it lies in `favorites/` itself.
    package var folders: [[UInt8]] { parts.dropLast() }

    /// Its own name.
    package var last: [UInt8] { parts.last ?? [] }

    /// The path of the item relative to the root of the mirror.
    var path: [UInt8] { Array("\(Layout.favorites)/".utf8) + bytes }

    /// ``path`` without the slash and the name at its end.
    var folderPath: [UInt8] { Array(path.dropLast(last.count + 1)) }

    /// The name for display; bytes that are no UTF-8 become U+FFFD.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the bytes are UTF-8, so that ``text`` is the name.
    package var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// The name in ASCII: other bytes, control characters and `%` are written as `%FF`.
    package var escaped: String {
        bytes.percentEncoded { $0 != UInt8(ascii: "%") && 0x20...0x7E ~= $0 }
    }

    /// The folders in `favorites/` that contain the item, the outermost first.
    var above: [FavoriteName] {
        let folders = self.folders
        return folders.indices.compactMap { index in
            FavoriteName(Array(folders[...index].joined(separator: [Self.slash])))
        }
    }
}

extension FavoriteName: Comparable {
    package static func < (left: FavoriteName, right: FavoriteName) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
