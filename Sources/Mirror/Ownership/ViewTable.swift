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
/// Table files are read when they are needed, and at most three are cached. A row is read from the cache as it is. Before a row
/// is changed, its table file is read again if another object has replaced it.
final class ViewTable: Sendable {
    private struct TableFile {
        /// The rows by path.
        var rows: [String: TableRow] = [:]
        /// The status of the file when it was read or written; `nil` if there was none.
        var status: FileStatus?
    }

    private let view: ViewName
    private let root: Directory
    /// The table file of all paths that are in no table file of a month.
    private let mainFile: String
    /// The directory of the table files of months.
    private let monthsFolder: String
    /// The table files that were read, by path.
    private let cache = Mutex([String: TableFile]())
    private static let maximumCachedFiles = 3
    /// The most bytes of a table file that are read (16 MiB): many times the size of one with 30 years of pages.
    private static let largestTableFile = 16 << 20

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

    /// Turns an intended row into a made one in the cache, because its file was found under its name.
    ///
    /// This saves a write, and may get lost: only a later change of the same table file writes the row. Until then, the row on
    /// the disk stays intended, and the next update turns it again.
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
            let bytes = try root.read(name, limit: Self.largestTableFile) ?? []
            for member in (try? JSON(parsing: bytes))?.members ?? [] {
                file.rows[member.key] = TableRow(member.value)
            }
        } catch  where error.cause == .invalid || error.isNotDirectory {
            // Something else is in place of the table file, and the next write replaces it.
        }
        if cache.count >= Self.maximumCachedFiles { cache = [:] }
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
}
