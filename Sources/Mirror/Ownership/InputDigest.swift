package import APOD
internal import Platform

/// Identifies what a file is made from, so that it is made again only when that changes; and the bytes of a file.
///
/// Nobody gains anything by a collision.
package struct InputDigest: Hashable, Sendable {
    private var digest = StoredDigest()

    /// Begins with this program: another version may make another file from the same.
    package init() {
        add(Version.current)
        add(Installation.modified)
    }

    /// The digest of these bytes alone, which is the same for each version.
    package init(of bytes: [UInt8]) { add(bytes.span) }

    /// The digest with this ``text``.
    init?(_ text: String) {
        guard let value = UInt64(text, radix: 16) else { return nil }
        digest = StoredDigest(value)
    }

    package mutating func add(_ number: Int) { digest.add(number) }

    package mutating func add(_ text: String) { digest.add(text) }

    package mutating func add(_ bytes: Span<UInt8>) { digest.add(bytes) }

    package mutating func add(_ days: some Collection<Day>) {
        for day in days { add(day.number) }
        add(days.count)
    }

    /// Adds the files of a day that the gallery shows: its record, and whether it has a thumbnail.
    package mutating func add(_ files: TreeSnapshot.DayFiles) {
        add(files.day.number)
        add(files.record)
        add(files.thumbnail == nil ? 0 : 1)
    }

    /// Adds the files of a day in `pictures/`: pictures, videos, and what is beside them, such as sidecars.
    package mutating func addMedia(of files: TreeSnapshot.DayFiles) {
        for index in files.media.indices {
            add(files.media[index].path)
            add(files.media[index].stamp)
        }
    }

    package mutating func add(_ digest: InputDigest) {
        add(Int(truncatingIfNeeded: digest.digest.value))
    }

    package mutating func add(_ stamp: TreeSnapshot.FileStamp?) {
        guard let stamp else { return add(0) }
        let modified = stamp.modified.attoseconds
        add(stamp.size)
        add(Int(truncatingIfNeeded: modified))
        add(Int(truncatingIfNeeded: modified >> 64))
    }

    package var text: String { String(digest.value, radix: 16) }

    // MARK: Marks

    /// The digest as a comment, for the end of the page, script or list at `path` or of a part of it.
    package func line(forFileAt path: String) -> String {
        path.hasSuffix(".html") ? "<!-- \(text) -->\n" : "// \(text)\n"
    }

    /// The last line of the page, script or list with these `bytes` at `path`, which shows later that nobody has changed it.
    package static func mark(of bytes: [UInt8], at path: String) -> [UInt8] {
        var digest = InputDigest(of: bytes)
        // A copy with another name is a user's.
        digest.add(path)
        return Array(digest.line(forFileAt: path).utf8)
    }

    /// Whether the file at `path` with these `bytes` ends with their ``mark(of:at:)``.
    static func isMarked(_ bytes: [UInt8], at path: String) -> Bool {
        guard let end = bytes.dropLast().lastIndex(of: UInt8(ascii: "\n")) else { return false }
        return bytes[(end + 1)...].elementsEqual(mark(of: Array(bytes[...end]), at: path))
    }
}
