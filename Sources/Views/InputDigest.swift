internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Identifies what a file is made from, so that it is made again only when that changes.
struct InputDigest: Equatable, Sendable {
    private var digest = StoredDigest()

    /// Begins with this program: another version may make another file from the same.
    init() {
        add(Version.current)
        add(Installation.modified)
    }

    mutating func add(_ number: Int) { digest.add(number) }

    mutating func add(_ text: String) { digest.add(text) }

    mutating func add(_ bytes: Span<UInt8>) { digest.add(bytes) }

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

    mutating func add(_ digest: InputDigest) { add(Int(truncatingIfNeeded: digest.digest.value)) }

    mutating func add(_ stamp: TreeSnapshot.FileStamp?) {
        guard let stamp else { return add(0) }
        let modified = stamp.modified.attoseconds
        add(stamp.size)
        add(Int(truncatingIfNeeded: modified))
        add(Int(truncatingIfNeeded: modified >> 64))
    }

    var text: String { String(digest.value, radix: 16) }

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
