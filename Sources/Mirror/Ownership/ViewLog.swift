internal import Platform
internal import Synchronization

/// What one view wrote: a line for each file, with its hash and stamp, in `.apod-mirror/views/`.
///
/// A line is flushed before the file gets its name: a file that a killed process published is known to the next. So several
/// lines may speak of one path; the contents of any of them prove that the view wrote the file. A line without a hash says
/// that the view removed the file: what is there now is not the view's. One whose hash is marked says that the lines before
/// it are over.
///
/// Writing a file only appends, some lines a day; the lines are read when a file is in the way, and released with this
/// object.
final class ViewLog: Sendable {
    /// What shows that a file was not touched since it was written, without reading it.
    struct Stamp: Hashable {
        let size: Int
        /// The modification time, in nanoseconds since 1970.
        let modified: Int64
        let inode: UInt64

        init(_ status: FileStatus) {
            size = status.size
            let (seconds, attoseconds) = status.exactlyModified.components
            modified = seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
            inode = UInt64(status.identity.inode)
        }

        init(size: Int, modified: Int64, inode: UInt64) {
            (self.size, self.modified, self.inode) = (size, modified, inode)
        }
    }

    /// A file as the view wrote it.
    struct Entry {
        let hash: String
        let stamp: Stamp

        init(_ hash: String, _ stamp: Stamp) { (self.hash, self.stamp) = (hash, stamp) }

        init(file bytes: [UInt8], _ status: FileStatus) {
            self.init(ViewLog.hash(bytes), Stamp(status))
        }

        /// A symbolic link, which is compared by its target alone.
        init(linkTo target: String) {
            let bytes = Array(target.utf8)
            self.init(ViewLog.hash(bytes), Stamp(size: bytes.count, modified: 0, inode: 0))
        }
    }

    private struct Contents {
        var entries: [String: [Entry]] = [:]
        /// The size of the file; it has grown if another object appended to it.
        var size = 0
    }

    private let root: Directory
    private let path: String
    private let contents = Mutex(Contents?.none)
    /// The maximum size of a log that is read: that of a hundred lines for each day of the archive.
    private static let maximumSize = 256 << 20

    init(of view: ViewName, in root: Directory) {
        self.root = root
        path = "\(Layout.views)/\(view)"
    }

    /// The first 128 bits of SHA-256: nobody gains anything by a collision.
    private static func hash(_ bytes: [UInt8]) -> String { SHA256.digits(32, of: bytes) }

    /// Whether the view ever wrote anything.
    func isEmpty() throws(SystemError) -> Bool {
        try (root.status(path)?.size ?? 0) == 0
    }

    /// Whether the item at `path`, which has this `status`, is as the view wrote it.
    func proves(_ path: String, _ status: FileStatus) throws(SystemError) -> Bool {
        // Directories are asked for in each update, and reading the log takes longer than most updates.
        guard [.file, .symbolicLink].contains(status.kind) else { return false }
        let entries = try entries(of: path)
        guard !entries.isEmpty else { return false }
        switch status.kind {
        case .symbolicLink:
            guard let target = root.target(bytes: path) else { return false }
            let hash = Self.hash(target)
            return entries.contains { $0.stamp.inode == 0 && $0.hash == hash }
        case .file:
            let stamp = Stamp(status)
            if entries.contains(where: { $0.stamp == stamp }) { return true }
            guard entries.contains(where: { $0.stamp.size == status.size }),
                let bytes = try ifReadable(root.read(path, limit: status.size))
            else { return false }
            let hash = Self.hash(bytes)
            return entries.contains { $0.stamp.inode != 0 && $0.hash == hash }
        default: return false
        }
    }

    /// Whether the view wrote a file at `path`, which may have changed since, and did not remove it.
    func hasWritten(_ path: String) throws(SystemError) -> Bool { try !entries(of: path).isEmpty }

    private func entries(of path: String) throws(SystemError) -> [Entry] {
        try contents.withLock { contents throws(SystemError) in
            let size = try root.status(self.path)?.size ?? 0
            if contents?.size != size { contents = try read() }
            return contents?.entries[path] ?? []
        }
    }

    private func read() throws(SystemError) -> Contents {
        let bytes = try root.read(path, limit: Self.maximumSize) ?? []
        var contents = Contents()
        contents.size = bytes.count
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            // Of a line that was cut short, no file has the path.
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 4)
            guard fields.count == 5, let size = Self.number(fields[1]).flatMap(Int.init(exactly:)),
                let modified = Self.number(fields[2]), let inode = Self.number(fields[3])
            else { continue }
            let path = String(decoding: fields[4], as: UTF8.self)
            var hash = String(decoding: fields[0], as: UTF8.self)
            let isOnly = hash.hasPrefix(Self.onlyMark)
            if isOnly { hash.removeFirst() }
            if isOnly || hash == Self.removed { contents.entries[path] = nil }
            if hash != Self.removed {
                let stamp = Stamp(
                    size: size, modified: modified, inode: UInt64(bitPattern: inode))
                contents.entries[path, default: []].append(Entry(hash, stamp))
            }
        }
        return contents
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        Int64(String(decoding: digits, as: UTF8.self))
    }

    // MARK: Writing

    private static let removed = "-"
    /// Before the hash of the only contents that the view has at a path.
    private static let onlyMark = "="

    /// Records the files that are about to get their names; throws ``SystemError`` if that cannot be made durable.
    func add(_ entries: [(path: String, entry: Entry)]) throws(SystemError) {
        try append(entries.map { Self.line($0.path, $0.entry) })
    }

    /// Records that the file at `path`, which has its name now, is as `entry`, and no longer as earlier lines say.
    ///
    /// A link with the target of an earlier one is a user's from then on.
    func addOnly(_ path: String, _ entry: Entry) throws(SystemError) {
        try append([Self.onlyMark + Self.line(path, entry)])
    }

    /// Records that the view removed these files.
    func addRemoved(_ paths: [String]) throws(SystemError) {
        try append(paths.map { "\(Self.removed) 0 0 0 \($0)\n" })
    }

    private static func line(_ path: String, _ entry: Entry) -> String {
        let stamp = entry.stamp
        let inode = Int64(bitPattern: stamp.inode)
        return "\(entry.hash) \(stamp.size) \(stamp.modified) \(inode) \(path)\n"
    }

    private func append(_ lines: [String]) throws(SystemError) {
        guard !lines.isEmpty else { return }
        // The last line may have been cut short.
        try root.makeDirectory(Layout.views).append(
            Array("\n\(lines.joined())".utf8), to: Layout.split(path).name)
    }
}
