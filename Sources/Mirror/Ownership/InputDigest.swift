package import APOD
internal import Platform

/// A digest of what a generated file, such as a page of the gallery, is made from: it is made again only when that changes.
///
/// A view, which makes such files, adds all inputs of a file in a fixed order, and compares the result with the stored one. The
/// digest of the bytes of a file has the same type. It has 64 bits, because nobody gains anything by a collision.
package struct InputDigest: Hashable, Sendable {
    private var digest = StoredDigest()

    // MARK: Beginning

    /// Begins with the version of this program, because another version may make another file from the same inputs.
    package init() {
        add(Version.current)
        add(Installation.modified)
    }

    /// The digest of the bytes alone, which is the same for all versions of this program.
    package init(of bytes: [UInt8]) { add(bytes.span) }

    /// The digest with this ``text``; `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        guard let value = UInt64(text, radix: 16) else { return nil }
        digest = StoredDigest(value)
    }

    /// The digest in hexadecimal digits.
    package var text: String { String(digest.value, radix: 16) }

    // MARK: Values

    package mutating func add(_ number: Int) { digest.add(number) }

    package mutating func add(_ text: String) { digest.add(text) }

    package mutating func add(_ bytes: Span<UInt8>) { digest.add(bytes) }

    package mutating func add(_ other: InputDigest) {
        add(Int(truncatingIfNeeded: other.digest.value))
    }

    package mutating func add(_ days: some Collection<Day>) {
        for day in days { add(day.number) }
        // Without the count, the end of the days could be taken for the number that is added next.
        add(days.count)
    }

    // MARK: Files of a day

    /// Adds the size and time of a file; `nil` stands for a missing file.
    package mutating func add(_ stamp: TreeSnapshot.FileStamp?) {
        guard let stamp else { return add(0) }
        add(stamp.size)
        // The time has 128 bits.
        let modified = stamp.modified.attoseconds
        add(Int(truncatingIfNeeded: modified))
        add(Int(truncatingIfNeeded: modified >> 64))
    }

    /// Adds the record of a day, which pictures and videos the day has, and whether it has a thumbnail.
    package mutating func addRecordAndNames(of files: TreeSnapshot.DayFiles) {
        add(files.day.number)
        add(files.record)
        add(files.thumbnail == nil ? 0 : 1)
        for file in files.media where file.isMedia { add(file.path) }
    }

    /// Adds the names, sizes and times of a day's files in `pictures/`: pictures, videos, sidecars, and all others.
    package mutating func addFilesInPictures(of files: TreeSnapshot.DayFiles) {
        for file in files.media {
            add(file.path)
            add(file.stamp)
        }
    }
}

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
