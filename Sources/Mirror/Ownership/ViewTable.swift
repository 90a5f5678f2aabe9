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
/// Table files are read when they are needed, and at most three are cached. To read a row, the cache is used as it is. To change
/// a row, the table file is read again if another object has replaced it.
final class ViewTable: Sendable {
    private struct TableFile {
        var rows: [String: TableRow] = [:]
        /// The status of the file when it was read or written.
        var status: FileStatus?
    }

    private let view: ViewName
    private let root: Directory
    private let mainFile: String
    private let monthsFolder: String
    /// The table files that were read, by path.
    private let cache = Mutex([String: TableFile]())
    private static let maximumCached = 3
    /// Many times the size of a table with the rows of 30 years of pages.
    private static let maximumSize = 16 << 20

    init(of view: ViewName, in root: Directory) {
        self.view = view
        self.root = root
        mainFile = "\(Layout.views)/\(view).json"
        monthsFolder = "\(Layout.views)/\(view).d"
    }

    /// The path of the table file that has the row of `path`.
    private func tableFile(of path: String) -> String {
        switch view {
        case .thumbnails, .sidecars, .v1:
            guard let day = FileName.day(of: Layout.split(path).name) else { return mainFile }
            return "\(monthsFolder)/\(Month(of: day)).json"
        case .renditions, .gallery, .feeds, .wallpapers, .latest, .hint: return mainFile
        }
    }

    /// Whether the view has written anything.
    func exists() throws(SystemError) -> Bool {
        if try root.status(mainFile) != nil { return true }
        return try root.status(monthsFolder) != nil
    }

    /// The row of `path`; `nil` if the view has written nothing there.
    func row(of path: String) throws(SystemError) -> TableRow? {
        try rows(ofFile: tableFile(of: path))[path]
    }

    /// The rows of the links in the directory `folder`, by name.
    func rows(in folder: String) throws(SystemError) -> [String: TableRow] {
        // Links are never in the table file of a month.
        var rowsByName: [String: TableRow] = [:]
        for (path, row) in try rows(ofFile: mainFile) where Layout.split(path).folder == folder {
            rowsByName[Layout.split(path).name] = row
        }
        return rowsByName
    }

    /// The table files that may have rows.
    func files() throws(SystemError) -> [String] {
        let months = try root.folder(monthsFolder)?.textNames().sorted() ?? []
        return months.map { "\(monthsFolder)/\($0)" } + [mainFile]
    }

    /// The paths that have a row in the table file `name`.
    func paths(inFile name: String) throws(SystemError) -> [String] {
        try rows(ofFile: name).keys.sorted()
    }

    /// The rows of a table file as it was when this object read it first.
    private func rows(ofFile name: String) throws(SystemError) -> [String: TableRow] {
        try cache.withLock { cache throws(SystemError) in
            if let file = cache[name] { return file.rows }
            return try read(name, into: &cache).rows
        }
    }

    /// Records in memory that the file of an intended row has its name; the next ``store(_:removing:in:)`` writes it to the table file.
    func markAsMade(_ path: String) {
        let name = tableFile(of: path)
        cache.withLock { cache in
            guard case .intended(let item, _) = cache[name]?.rows[path] else { return }
            cache[name]?.rows[path] = .made(item)
        }
    }

    /// Writes `rows` to their table files, and removes the rows of `removedPaths`, durably.
    func store(
        _ rows: [String: TableRow], removing removedPaths: [String] = [], in mirror: Store
    ) throws(SystemError) {
        let pathsByFile = Dictionary(grouping: rows.keys + removedPaths, by: tableFile)
        for (name, paths) in pathsByFile.sorted(by: { $0.key < $1.key }) {
            // Another object with the table of this view must not change the file between this reading and writing.
            try mirror.viewTables.withLock { _ throws(SystemError) in
                try updateFile(name, in: mirror) { rowsOfFile in
                    for path in paths { rowsOfFile[path] = rows[path] }
                }
            }
        }
    }

    /// Reads a table file again if it has changed, and writes it if `change` changes its rows.
    private func updateFile(
        _ name: String, in mirror: Store, by change: (inout [String: TableRow]) -> Void
    ) throws(SystemError) {
        try cache.withLock { cache throws(SystemError) in
            var file = try read(name, into: &cache)
            let formerRows = file.rows
            change(&file.rows)
            guard file.rows != formerRows else { return }
            if file.rows.isEmpty, name != mainFile {
                try root.removeDurably(name)
            } else {
                try mirror.writeState(Self.document(file.rows), to: name)
            }
            file.status = try root.status(name)
            cache[name] = file
        }
    }

    // MARK: The format

    /// Reads a table file, unless it is in the cache and has not changed on the disk.
    private func read(
        _ name: String, into cache: inout [String: TableFile]
    ) throws(SystemError) -> TableFile {
        var file = TableFile()
        do {
            file.status = try root.status(name)
            if let cached = cache[name], cached.status == file.status { return cached }
            let bytes = try root.read(name, limit: Self.maximumSize) ?? []
            for member in (try? JSON(parsing: bytes))?.members ?? [] {
                file.rows[member.key] = TableRow(member.value)
            }
        } catch  where error.cause == .invalid || error.isNotDirectory {
            // Something else is in place of the table file, and the next write replaces it.
        }
        if cache.count >= Self.maximumCached { cache = [:] }
        cache[name] = file
        return file
    }

    /// A line for each path: `"latest.jpg": "pictures/2026/2026-11/2026-11-20 M 31.jpg"`.
    private static func document(_ rows: [String: TableRow]) -> [UInt8] {
        let lines = rows.sorted { $0.key < $1.key }.map { path, row in
            "\(JSON.string(path).line): \(row.json.line)"
        }
        return Array("{\n\(lines.joined(separator: ",\n"))\n}\n".utf8)
    }

    // MARK: The disk

    /// Examines what is at `path`, which has this `row`.
    ///
    /// A file is read only if it has the size of a file in the row, or the expected `size`; any other file is foreign.
    func look(
        at path: String, _ row: TableRow?, expecting size: Int? = nil
    ) throws(SystemError) -> (found: FoundAtPath, status: FileStatus?) {
        do {
            guard let status = try root.status(path) else { return (.nothing, nil) }
            return (try examine(path, status, row, expecting: size), status)
        } catch  where error.isNotDirectory {
            return (.foreign, nil)
        } catch {
            switch error.cause {
            case .absent: return (.nothing, nil)
            case .invalid: return (.foreign, nil)
            case .denied: return (.unknown(error), nil)
            case .transient where !error.isCancelled: return (.unknown(error), nil)
            case .transient, .shortage: throw error
            }
        }
    }

    private func examine(
        _ path: String, _ status: FileStatus, _ row: TableRow?, expecting size: Int?
    ) throws(SystemError) -> FoundAtPath {
        switch status.kind {
        case .symbolicLink:
            guard let target = try root.readTarget(of: path) else { return .foreign }
            return .contents(.link(target: target))
        case .file:
            let items = row?.ownItems ?? []
            if let item = items.first(where: { $0.stamp == status.stamp }) {
                return .contents(item.contents)
            }
            guard items.contains(where: { $0.stamp?.size == status.size }) || size == status.size,
                let bytes = try root.read(path, limit: status.size)
            else { return .foreign }
            return .contents(.file(InputDigest(of: bytes)))
        case .directory, .other: return .foreign
        }
    }
}
