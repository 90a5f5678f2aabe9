internal import APOD
internal import JSON
internal import Platform
internal import Synchronization

/// The table of what one view has written: a row for each path, which proves later whose file is there.
///
/// The tables are in `.apod-mirror/views/`. The gallery has the table file `gallery.json`. A view with a file for each day
/// also has a table file for each month, such as `thumbnails.d/2026-11.json`, so that one more day costs a few kilobytes of
/// writing. Each table file is replaced atomically. If it is deleted or damaged, a file that equals the wanted one counts as
/// the view's, and any other file as a person's.
///
/// Table files are read when they are needed, and at most three are held in memory.
final class ViewTable: Sendable {
    private struct TableFile {
        var rows: [String: TableRow] = [:]
        /// The status of the file when it was read or written; another object may have replaced it since.
        var status: FileStatus?
    }

    private let view: ViewName
    private let root: Directory
    private let folder: String
    private let mainFile: String
    /// The table files that were read, by path.
    private let held = Mutex([String: TableFile]())
    private static let maximumHeld = 3
    /// Many times the rows of 30 years of pages.
    private static let maximumSize = 16 << 20

    init(of view: ViewName, in root: Directory) {
        (self.view, self.root) = (view, root)
        folder = "\(Layout.views)/\(view).d"
        mainFile = "\(Layout.views)/\(view).json"
    }

    /// The path of the table file that has the row of `path`.
    private func tableFile(of path: String) -> String {
        switch view {
        case .thumbnails, .sidecars, .v1:
            let day = FileName.day(of: Layout.split(path).name)
            return day.map { "\(folder)/\(Month(of: $0)).json" } ?? mainFile
        case .renditions, .gallery, .feeds, .wallpapers, .latest, .hint: return mainFile
        }
    }

    func exists() throws(SystemError) -> Bool {
        if try root.status(mainFile) != nil { return true }
        return try root.status(folder) != nil
    }

    /// The row of `path`; `nil` if the view has written nothing there.
    func row(of path: String) throws(SystemError) -> TableRow? {
        try rows(ofFile: tableFile(of: path))[path]
    }

    /// The rows of the links in the directory `folder`, by name.
    func rows(in folder: String) throws(SystemError) -> [String: TableRow] {
        // Links are never in the table file of a month.
        var named: [String: TableRow] = [:]
        for (path, row) in try rows(ofFile: mainFile) where Layout.split(path).folder == folder {
            named[Layout.split(path).name] = row
        }
        return named
    }

    private func rows(ofFile name: String) throws(SystemError) -> [String: TableRow] {
        try held.withLock { held throws(SystemError) in
            if let file = held[name] { return file.rows }
            return try read(name, into: &held).rows
        }
    }

    /// Notes that the file of an intended row has its name, which the next ``store(_:in:)`` writes to the table file.
    func markAsMade(_ path: String) {
        let name = tableFile(of: path)
        held.withLock { held in
            guard case .intended(let item, _) = held[name]?.rows[path] else { return }
            held[name]?.rows[path] = .made(item)
        }
    }

    /// Writes these rows to their table files, durably; `nil` removes the row of a path.
    func store(_ rows: [String: TableRow?], in store: Store) throws(SystemError) {
        let changes = Dictionary(grouping: rows.keys, by: tableFile)
        for (name, paths) in changes.sorted(by: { $0.key < $1.key }) {
            // Another object with the table of this view must not change the file between this reading and writing.
            try store.viewTables.withLock { _ throws(SystemError) in
                try held.withLock { held throws(SystemError) in
                    var file = try read(name, into: &held)
                    let formerRows = file.rows
                    for path in paths { file.rows[path] = rows[path] ?? nil }
                    guard file.rows != formerRows else { return }
                    if file.rows.isEmpty, name != mainFile {
                        try root.removeDurably(name)
                    } else {
                        try store.writeState(Self.document(file.rows), to: name)
                    }
                    file.status = try root.status(name)
                    held[name] = file
                }
            }
        }
    }

    // MARK: The format

    /// Reads a table file, unless it is held in memory and has not changed on the disk.
    private func read(
        _ name: String, into held: inout [String: TableFile]
    ) throws(SystemError) -> TableFile {
        var file = TableFile()
        do {
            file.status = try root.status(name)
            if let known = held[name], known.status == file.status { return known }
            let bytes = try root.read(name, limit: Self.maximumSize) ?? []
            for member in (try? JSON(parsing: bytes))?.members ?? [] {
                file.rows[member.key] = TableRow(member.value)
            }
        } catch  where error.cause == .invalid || error.isNotDirectory {
            // Something else is in place of the table file, and the next write replaces it.
        }
        if held.count >= Self.maximumHeld { held = [:] }
        held[name] = file
        return file
    }

    /// A line for each path: `"latest.jpg": "pictures/2026/2026-11/2026-11-20 M 31.jpg"`.
    private static func document(_ rows: [String: TableRow]) -> [UInt8] {
        let lines = rows.sorted { $0.key < $1.key }.map { path, row in
            "\(JSON.string(path).line): \(row.json.line)"
        }
        return Array("{\n\(lines.joined(separator: ",\n"))\n}\n".utf8)
    }
}

extension TableRow {
    fileprivate init?(_ json: JSON) {
        guard case .object = json else {
            guard let item = GeneratedItem(json) else { return nil }
            self = .made(item)
            return
        }
        if let item = json["refused"].flatMap(GeneratedItem.init) {
            self = .refused(item)
        } else if let item = json["intended"].flatMap(GeneratedItem.init) {
            self = .intended(item, before: json["before"].flatMap(GeneratedItem.init))
        } else {
            return nil
        }
    }

    fileprivate var json: JSON {
        switch self {
        case .made(let item): item.json
        case .intended(let item, let before): ["intended": item.json, "before": before?.json]
        case .refused(let item): ["refused": item.json]
        }
    }
}

/// The JSON of an item: the target of a link, or a list for a file.
///
/// The list has the digest of the bytes, the digest of the inputs, size, time and inode. A directory of links has such a list
/// with the word `directory` in place of the digest.
extension GeneratedItem {
    private static let folder = "directory"

    fileprivate init?(_ json: JSON) {
        if let target = json.string {
            self.init(contents: .link(target: target))
            return
        }
        let fields = json.elements
        guard fields.count == 5, let digest = fields[0].string,
            let contents = digest == Self.folder
                ? GeneratedContents.folder : InputDigest(digest).map(GeneratedContents.file),
            let size = fields[2].integer, let modified = fields[3].integer,
            let inode = fields[4].integer
        else { return nil }
        self.init(
            contents: contents, inputs: fields[1].string.flatMap(InputDigest.init),
            stamp: Stamp(size: size, modified: modified, inode: inode))
    }

    fileprivate var json: JSON {
        switch contents {
        case .link(let target): .string(target)
        case .file(let digest): json(digest.text)
        case .folder: json(Self.folder)
        case .foreign: .null
        }
    }

    private func json(_ digest: String) -> JSON {
        [
            .string(digest), inputs.map { .string($0.text) } ?? .null,
            .integer(stamp?.size ?? 0), .integer(stamp?.modified ?? 0),
            .integer(stamp?.inode ?? 0),
        ]
    }
}

extension FileStatus {
    var stamp: GeneratedItem.Stamp {
        let (seconds, attoseconds) = exactlyModified.components
        return GeneratedItem.Stamp(
            size: size, modified: Int(seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000),
            inode: Int(truncatingIfNeeded: identity.inode))
    }
}

// MARK: Looking

extension ViewTable {
    /// Examines what is at `path`, which has this `row`.
    ///
    /// A file is read only if it has the size of a file in the row, or the expected `size`; any other file is foreign.
    func look(
        at path: String, _ row: TableRow?, expecting size: Int? = nil
    ) throws(SystemError) -> (found: FoundAtPath, status: FileStatus?) {
        do {
            guard let status = try root.status(path) else { return (.nothing, nil) }
            return (.contents(try contents(of: path, status, row, expecting: size)), status)
        } catch  where error.isNotDirectory {
            return (.contents(.foreign), nil)
        } catch {
            switch error.cause {
            case .absent: return (.nothing, nil)
            case .invalid: return (.contents(.foreign), nil)
            case .denied: return (.unknown(error), nil)
            case .transient where !error.isCancelled: return (.unknown(error), nil)
            case .transient, .shortage: throw error
            }
        }
    }

    private func contents(
        of path: String, _ status: FileStatus, _ row: TableRow?, expecting size: Int?
    ) throws(SystemError) -> GeneratedContents {
        switch status.kind {
        case .symbolicLink:
            return try root.readTarget(of: path).map { .link(target: $0) } ?? .foreign
        case .file:
            let items = row?.ownItems ?? []
            if let item = items.first(where: { $0.stamp == status.stamp }) { return item.contents }
            guard items.contains(where: { $0.stamp?.size == status.size }) || size == status.size,
                let bytes = try root.read(path, limit: status.size)
            else { return .foreign }
            return .file(InputDigest(of: bytes))
        case .directory, .other: return .foreign
        }
    }
}

extension Tree {
    /// Whether the item at `path` is as `view` wrote it; `false` if it cannot be examined.
    func owns(_ path: String, by view: ViewName) throws(SystemError) -> Bool {
        let table = ViewTable(of: view, in: root)
        guard let row = try table.row(of: path),
            case .contents(let contents) = try table.look(at: path, row).found
        else { return false }
        return row.ownItem(with: contents) != nil
    }
}
