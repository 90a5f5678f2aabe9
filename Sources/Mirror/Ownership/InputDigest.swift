package import APOD
internal import Platform

/// A digest of what a generated file, such as a page of the gallery, is made from: it is made again only when that changes.
///
/// A view adds all inputs of a file in a fixed order, and compares the result with the stored one. The digest of the bytes of
/// a file has the same type. It has 64 bits, because nobody gains anything by a collision.
package struct InputDigest: Hashable, Sendable {
    private var digest = StoredDigest()

    /// Begins with the version of this program, because another version may make another file from the same inputs.
    package init() {
        add(Version.current)
        add(Installation.modified)
    }

    /// The digest of the bytes alone, which is the same for all versions of this program.
    package init(of bytes: [UInt8]) { add(bytes.span) }

    /// The digest with this ``text``.
    package init?(_ text: some StringProtocol) {
        guard let value = UInt64(text, radix: 16) else { return nil }
        digest = StoredDigest(value)
    }

    package mutating func add(_ number: Int) { digest.add(number) }

    package mutating func add(_ text: String) { digest.add(text) }

    package mutating func add(_ bytes: Span<UInt8>) { digest.add(bytes) }

    package mutating func add(_ days: some Collection<Day>) {
        for day in days { add(day.number) }
        // Without the count, the end of the days could be taken for the number that is added next.
        add(days.count)
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

    package mutating func add(_ digest: InputDigest) {
        add(Int(truncatingIfNeeded: digest.digest.value))
    }

    package mutating func add(_ stamp: TreeSnapshot.FileStamp?) {
        guard let stamp else { return add(0) }
        add(stamp.size)
        // The time has 128 bits.
        let modified = stamp.modified.attoseconds
        add(Int(truncatingIfNeeded: modified))
        add(Int(truncatingIfNeeded: modified >> 64))
    }

    package var text: String { String(digest.value, radix: 16) }
}

/// The mark of a generated file: a last line that shows later that apod-mirror made the file, and that nobody has changed it.
extension InputDigest {
    /// The digest as a comment in a page, feed, script or list: `<!-- 1f04 -->` or `// 1f04`.
    package func line(forFileAt path: String) -> String {
        let isMarkup = [".html", ".xml", ".rss"].contains { path.hasSuffix($0) }
        return isMarkup ? "<!-- \(text) -->\n" : "// \(text)\n"
    }

    /// The mark for a file at `path` with these `bytes`.
    package static func mark(of bytes: [UInt8], at path: String) -> [UInt8] {
        var digest = InputDigest(of: bytes)
        // The path is added, because a copy of the file under another name belongs to a person.
        digest.add(path)
        return Array(digest.line(forFileAt: path).utf8)
    }

    /// Whether the file at `path` with these `bytes` ends with the ``mark(of:at:)`` of the bytes before the mark.
    static func isMarked(_ bytes: [UInt8], at path: String) -> Bool {
        guard let end = bytes.dropLast().lastIndex(of: UInt8(ascii: "\n")) else { return false }
        let (contents, lastLine) = (bytes[...end], bytes[(end + 1)...])
        return lastLine.elementsEqual(mark(of: Array(contents), at: path))
    }
}
