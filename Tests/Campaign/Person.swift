import Glibc
import Mirror
import Platform
import ProgramTesting
import TestSupport

/// A person who has files and links of their own in a mirror.
struct Person {
    /// What the person made at a path: the contents of a file, or the target of a link.
    private struct Item {
        let isLink: Bool
        let bytes: [UInt8]
    }

    private let root: Directory
    /// A directory on the same file system, outside of the mirror.
    private let outside: Directory
    private let pictures: [String]
    private let places: [String]
    private var items: [String: Item] = [:]

    /// - Parameters:
    ///   - root: The path of the mirror.
    ///   - outside: The path of a directory on the same file system.
    ///   - pictures: The paths of some pictures of the mirror.
    /// - Throws: `SystemError` if a directory cannot be opened.
    init(at root: String, outside: String, pictures: [String]) throws {
        self.root = try Directory(opening: root)
        self.outside = try Directory(opening: outside)
        self.pictures = pictures
        places = ForeignPlaces(beside: pictures).all
    }

    var count: Int { items.count }

    func randomPlace(_ random: inout SplitMix) -> String {
        places.randomElement(using: &random) ?? "README.md"
    }

    /// Makes a file or link at `path`, perhaps in place of what is there, while no other program writes.
    mutating func put(at path: String, _ random: inout SplitMix) throws {
        let item = newItem(at: path, &random)
        let (folder, name) = try open(path)
        let kind = try folder.status(name)?.kind
        // An editor may write in place; a file manager replaces the file.
        let isInPlace = !item.isLink && kind == .file && Bool.random(using: &random)
        if kind != nil, !isInPlace { try folder.remove(name) }
        if item.isLink {
            try folder.symlink(name, to: item.bytes)
        } else {
            let file = try folder.open(name, O_WRONLY | O_CREAT | O_TRUNC)
            try file.write(item.bytes, path: path)
        }
        items[path] = item
    }

    /// Makes a file or link at `path` beside a running mirror, unless something is there.
    ///
    /// It appears whole: of a file that is empty for a moment, the mirror would lose nothing by replacing it.
    mutating func add(at path: String, _ random: inout SplitMix) throws {
        guard items[path] == nil else { return }
        let item = newItem(at: path, &random)
        do throws(SystemError) {
            let (folder, name) = try open(path)
            if item.isLink {
                try folder.symlink(name, to: item.bytes)
            } else {
                let file = try outside.open("new", O_WRONLY | O_CREAT | O_TRUNC)
                try file.write(item.bytes, path: path)
                try outside.renameExclusive("new", to: folder, as: name)
            }
        } catch {
            // The mirror was first, or has just removed the empty directory.
            guard [EEXIST, ENOENT].contains(error.code) else { throw error }
            return
        }
        items[path] = item
    }

    /// What is neither in its place nor where the mirror moves what is in its way.
    func losses(in tree: TreeImage) -> [String] {
        let moved = Set(
            tree.files.filter { path, _ in
                path.hasPrefix("\(Layout.aside)/") || path.hasPrefix("\(Layout.damaged)/")
            }.values)
        return items.filter { path, item in
            let found = item.isLink ? root.targetBytes(of: path) : read(path)
            return found != item.bytes && !moved.contains(item.bytes)
        }.map { "\($0.key) of a person is lost" }.sorted()
    }

    /// Whether `violation` is about a file of the person, which is none of the mirror's.
    func explains(_ violation: String) -> Bool {
        items.keys.contains { violation.hasPrefix("\($0) ") }
    }

    private func open(_ path: String) throws(SystemError) -> (folder: Directory, name: String) {
        let (above, name) = Layout.split(path)
        guard above != "." else { return (root, name) }
        return (try root.makeDirectory(above), name)
    }

    private func read(_ path: String) -> [UInt8]? { try? root.read(path) }

    // MARK: What is made

    /// NASA's old answer as a person saved it, formatted as any pretty printer does.
    private static let savedAnswer = Array(
        "{\n  \"date\": \"2019-01-01\",\n  \"service_version\": \"v1\",\n  \"title\": \"Mine\"\n}\n"
            .utf8)

    /// A file or link that looks like the mirror's; what the mirror itself would write there is never made.
    private func newItem(at path: String, _ random: inout SplitMix) -> Item {
        let picture = pictures.randomElement(using: &random) ?? ""
        let mark = Array("mine \(random.next())".utf8)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let above = String(repeating: "../", count: path.split(separator: "/").count - 1)
            return Item(isLink: true, bytes: Array("\(above)./\(picture)".utf8))
        case 1: return Item(isLink: false, bytes: Self.savedAnswer + mark)
        case 2:
            // Of the size of a picture.
            let bytes = Array((read(picture) ?? []).dropLast(mark.count))
            return Item(isLink: false, bytes: bytes + mark)
        default:
            if path.hasPrefix("v1/"), path.hasSuffix(".jpg"),
                let day = FileName.day(of: Layout.split(picture).name),
                let thumbnail = read(Layout.thumbnail(of: day)), !thumbnail.isEmpty
            {
                return Item(isLink: false, bytes: thumbnail)
            }
            let copied = Bool.random(using: &random) ? path : randomPlace(&random)
            return Item(isLink: false, bytes: (read(copied) ?? []) + mark)
        }
    }
}
