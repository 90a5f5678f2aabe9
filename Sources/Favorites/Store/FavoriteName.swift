internal import Mirror
internal import Platform

/// The name of an item in `favorites/`: its path relative to that folder, in any bytes.
///
/// A name never leads out of `favorites/`: each part has 1 to 255 bytes, none of them zero, and is neither `.`
/// nor `..`.
package struct FavoriteName: Hashable, Sendable {
    /// The parts, joined by slashes.
    package let bytes: [UInt8]

    private static let slash = UInt8(ascii: "/")
    /// In bytes: `NAME_MAX`, see pathconf(3).
    private static let longestPart = 255

    /// `nil` if the path could lead out of the folder, or has a part that no file can be called.
    package init?(_ bytes: some Collection<UInt8>) {
        self.bytes = Array(bytes)
        let parts = self.bytes.split(separator: Self.slash, omittingEmptySubsequences: false)
        guard parts.allSatisfy(Self.isValidPart) else { return nil }
    }

    package init?(_ text: String) { self.init(Array(text.utf8)) }

    private static func isValidPart(_ part: ArraySlice<UInt8>) -> Bool {
        let isDots = [".", ".."].contains { part.elementsEqual($0.utf8) }
        return 1...longestPart ~= part.count && !part.contains(0) && !isDots
    }

    // MARK: Parts and paths

    /// The names of the folders that lead from `favorites/` to the item, then the name of the item itself.
    package var parts: [[UInt8]] { bytes.split(separator: Self.slash).map(Array.init) }

    /// The name of the item without its folders: `x.jpg` of `trip/x.jpg`.
    package var last: [UInt8] {
        bytes.lastIndex(of: Self.slash).map { Array(bytes[($0 + 1)...]) } ?? bytes
    }

    /// The folders in `favorites/` that contain the item, the outermost first.
    var folders: [FavoriteName] {
        bytes.indices.filter { bytes[$0] == Self.slash }.compactMap { FavoriteName(bytes[..<$0]) }
    }

    /// The path of the item relative to the root of the mirror.
    var path: [UInt8] { Array("\(Layout.favorites)/".utf8) + bytes }

    /// The path of the folder that contains the item, relative to the root of the mirror.
    var folderPath: [UInt8] { Array(path.dropLast(last.count + 1)) }

    // MARK: The name as text

    /// Reads a name in the form of ``recorded``.
    init?(recorded text: String) {
        let decoded = text.utf8.percentDecoded
        self.init(Self.mustBeEscaped(decoded) ? decoded : Array(text.utf8))
    }

    /// Whether the escaped form is recorded, because the name is not UTF-8 or looks like the escaped form of another one.
    ///
    /// The four bytes `Caf\xE9` are recorded as `Caf%E9`. So a name with the six characters `Caf%E9` is recorded as `Caf%25E9`.
    private static func mustBeEscaped(_ name: [UInt8]) -> Bool {
        guard String(validating: name, as: UTF8.self) != nil else { return true }
        let decoded = name.percentDecoded
        return decoded != name && mustBeEscaped(decoded)
    }

    /// The name as a text, with U+FFFD for bytes that are no UTF-8; it may contain control characters.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the bytes are UTF-8, so that ``text`` is the name.
    package var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// The name as records and `favorites list --json` have it: ``text``, or ``escaped`` if the text would be ambiguous.
    var recorded: String { Self.mustBeEscaped(bytes) ? escaped : text }

    /// The name in ASCII: other bytes, control characters and `%` are written as `%` and two hexadecimal digits.
    package var escaped: String {
        bytes.percentEncoded { $0 != UInt8(ascii: "%") && 0x20...0x7E ~= $0 }
    }

    // MARK: The item in place of this one

    private static let linkMark = " (link)"

    /// The name of a link in place of the file of this name: `trip/x (link).jpg` for `trip/x.jpg`.
    var ofLink: FavoriteName {
        let name = last
        let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        let (mark, ending) = (Array(Self.linkMark.utf8), name[dot...])
        let start = name[..<dot].prefix(max(0, Self.longestPart - mark.count - ending.count))
        return FavoriteName(bytes.dropLast(name.count) + start + mark + ending) ?? self
    }

    /// The name for a link to `path`: with its extension in place of that of a shortcut or text, as which it would be opened.
    func ofLink(to path: String) -> FavoriteName {
        let name = String(decoding: last, as: UTF8.self).lowercased()
        let endings = [".url", ".txt", ".desktop", ".webloc"]
        guard let ending = endings.first(where: name.hasSuffix),
            let (_, endingOfPath) = path.splitAtLastDot
        else { return self }
        return FavoriteName(bytes.dropLast(ending.utf8.count) + endingOfPath.utf8) ?? self
    }

    /// The name of a shortcut in place of the link of this name: `trip/x.url` for `trip/x.jpg`, and for `trip/x (link).jpg`.
    ///
    /// A file system without symbolic links may have only names in Unicode, so that other bytes become U+FFFD.
    var ofShortcut: FavoriteName {
        var name = String(decoding: last, as: UTF8.self)
        // What follows the dot of “M 31. At night” is no extension.
        if let (stem, ending) = name.splitAtLastDot, !ending.contains(" ") { name = String(stem) }
        // No picture has the extension of a shortcut, so that the mark is not needed.
        if name.hasSuffix(Self.linkMark), name != Self.linkMark {
            name.removeLast(Self.linkMark.count)
        }
        let ending = ".url"
        while name.utf8.count > Self.longestPart - ending.utf8.count { name.removeLast() }
        return FavoriteName(bytes.dropLast(last.count) + Array("\(name)\(ending)".utf8)) ?? self
    }
}

extension FavoriteName: Comparable {
    package static func < (left: FavoriteName, right: FavoriteName) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
