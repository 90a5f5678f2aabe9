internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Identifies what a file is made from, so that it is made again only when that changes.
///
/// It is stored. So it must not depend on the process, as that of `Hasher` does. It is FNV-1a, but takes 64 bits at a time:
/// so a shift lets high bits change low ones, too.
struct InputDigest: Equatable, Sendable {
    /// Begins with the offset basis of FNV-1a for 64 bits.
    private var value: UInt64 = 0xcbf2_9ce4_8422_2325
    private static let prime: UInt64 = 0x100_0000_01b3

    /// Begins with this program: another version may make another file from the same.
    init() {
        add(Version.current)
        add(Installation.modified)
    }

    mutating func add(_ number: Int) {
        value = (value ^ UInt64(bitPattern: Int64(number))) &* Self.prime
        value ^= value >> 32
    }

    mutating func add(_ text: String) { add(text.utf8Span.span) }

    mutating func add(_ bytes: Span<UInt8>) {
        let numbers = bytes.count / 8 * 8
        unsafe bytes.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: numbers, by: 8) {
                unsafe add(bytes.loadUnaligned(fromByteOffset: offset, as: Int.self))
            }
        }
        for index in numbers..<bytes.count { add(Int(bytes[index])) }
        add(bytes.count)
    }

    mutating func add(_ days: some Collection<Day>) {
        for day in days { add(day.number) }
        add(days.count)
    }

    /// Adds the files of a day that the gallery shows: its record, and whether it has a thumbnail.
    mutating func add(_ files: TreeSnapshot.DayFiles) {
        add(files.day.number)
        add(files.record)
        add(files.thumbnail == nil ? 0 : 1)
    }

    /// Adds the files of a day in `pictures/`: pictures, videos, and what is beside them, such as sidecars.
    mutating func addMedia(of files: TreeSnapshot.DayFiles) {
        for index in files.media.indices {
            add(files.media[index].path)
            add(files.media[index].stamp)
        }
    }

    mutating func add(_ digest: InputDigest) { add(Int(truncatingIfNeeded: digest.value)) }

    mutating func add(_ stamp: TreeSnapshot.FileStamp?) {
        guard let stamp else { return add(0) }
        let modified = stamp.modified.attoseconds
        add(stamp.size)
        add(Int(truncatingIfNeeded: modified))
        add(Int(truncatingIfNeeded: modified >> 64))
    }

    var text: String { String(value, radix: 16) }

    /// The digest as a comment, for the end of the page, script or list at `path` or of a part of it.
    func line(forFileAt path: String) -> String {
        path.hasSuffix(".html") ? "<!-- \(text) -->\n" : "// \(text)\n"
    }

    /// Whether the file at `path` has its end and was made from what this identifies; `false` if it cannot be read.
    func isOfFile(at path: String, in root: Directory) throws(SystemError) -> Bool {
        let line = Array("\n\(line(forFileAt: path))".utf8)
        let end = try ifReadable(
            root.openFile(path, O_RDONLY).readEnd(limit: line.count, path: path))
        return end == line
    }
}
