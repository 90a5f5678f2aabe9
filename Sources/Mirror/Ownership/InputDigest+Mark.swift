/// The mark of a generated file: a last line that shows later that apod-mirror made the file, and that nobody has changed it.
///
/// A view such as the gallery ends its pages and lists with a mark. ``ViewFiles`` replaces a marked file even if the table of
/// generated files has no row for it, as after the restore of a backup; any other unknown file belongs to a person.
extension InputDigest {
    /// The line with this digest: a comment such as `<!-- 1f04 -->` in a page or feed, and `// 1f04` in a script or list.
    package func line(forFileAt path: String) -> String {
        let isMarkup = [".html", ".xml", ".rss"].contains { path.hasSuffix($0) }
        return isMarkup ? "<!-- \(text) -->\n" : "// \(text)\n"
    }

    /// The mark for a file at `path` whose other lines are `contents`.
    package static func mark(of contents: [UInt8], at path: String) -> [UInt8] {
        var digest = InputDigest(of: contents)
        // The path is added, because a copy of the file under another name belongs to a person.
        digest.add(path)
        return Array(digest.line(forFileAt: path).utf8)
    }

    /// Whether the last line of the file at `path`, which has these `bytes`, is the mark of all lines before it.
    static func isMarked(_ bytes: [UInt8], at path: String) -> Bool {
        guard let lineEnd = bytes.dropLast().lastIndex(of: UInt8(ascii: "\n")) else { return false }
        let contents = bytes[...lineEnd]
        let lastLine = bytes[(lineEnd + 1)...]
        return lastLine.elementsEqual(mark(of: Array(contents), at: path))
    }
}
