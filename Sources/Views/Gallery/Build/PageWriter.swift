internal import Glibc
internal import Mirror
internal import Platform

/// What became of a file of the gallery.
enum PageOutcome: Sendable {
    case written
    /// The file has these contents already.
    case unchanged
    /// An item of the user is at this path, in place of the file or of its directory, and stays.
    case obstructed(by: String)
}

typealias MadePage = (path: String, outcome: PageOutcome)

extension Store {
    /// Whether the page at `path` was made from what `digest` identifies, and has its end.
    func page(at path: String, isFrom digest: InputDigest) throws(SystemError) -> Bool {
        let line = Array("\n\(digest.line(in: path))".utf8)
        let end = try ifReadable(
            tree.root.openFile(path, O_RDONLY).readEnd(limit: line.count, path: path))
        return end == line
    }

    /// Publishes a file of the gallery, unless something that the mirror did not write is in its place.
    ///
    /// `bytes` have ``PageFrame/mark`` or ``Asset/mark`` near the beginning. Without a `digest`, the page is made again
    /// by the next update.
    func publishPage(
        _ bytes: [UInt8], at path: String, from digest: InputDigest? = nil
    ) throws(SystemError) -> PageOutcome {
        let (folderPath, name) = Layout.split(path)
        let folder: Directory
        do {
            folder = try tree.root.makeDirectory(folderPath)
        } catch  where error.isNotDirectory {
            let isBelow = (try? tree.root.status(PageFrame.folder))??.kind == .directory
            return .obstructed(by: isBelow ? folderPath : PageFrame.folder)
        }
        let bytes = bytes + (digest.map { Array($0.line(in: path).utf8) } ?? [])
        if try folder.status(name) != nil, try !folder.isPage(name), try !folder.isBlank(name),
            try !folder.isBeginning(name, of: bytes)
        {
            return .obstructed(by: path)
        }
        return try publish(bytes, at: path) ? .written : .unchanged
    }
}

extension Directory {
    /// Whether the beginning of the file `name` shows that the mirror wrote it.
    func isPage(_ name: String) throws(SystemError) -> Bool {
        let start = try ifReadable(openFile(name, O_RDONLY).readStart(limit: 1024, path: name))
        guard let start else { return false }
        return [PageFrame.mark, Asset.mark].contains { start.contains(bytes: Array($0.utf8)) }
    }
}
