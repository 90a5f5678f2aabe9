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

/// A page that is to be published.
struct NewPage {
    let path: String
    /// With ``PageFrame/mark`` or ``Asset/mark`` near the beginning; the last line identifies what it was made from,
    /// unless the next update is to make it again.
    let bytes: [UInt8]
}

extension Store {
    /// Whether the page at `path` was made from what `digest` identifies, and has its end.
    func page(at path: String, isFrom digest: InputDigest) throws(SystemError) -> Bool {
        let line = Array("\n\(digest.line(in: path))".utf8)
        let end = try ifReadable(
            tree.root.openFile(path, O_RDONLY).readEnd(limit: line.count, path: path))
        return end == line
    }

    /// Publishes a file of the gallery, unless something that the mirror did not write is in its place.
    func publish(_ page: NewPage) throws(SystemError) -> MadePage {
        if let obstacle = try obstacle(of: page) { return (page.path, .obstructed(by: obstacle)) }
        return (page.path, try publish(page.bytes, at: page.path) ? .written : .unchanged)
    }

    /// Publishes pages of one directory as ``publish(_:)`` does; many are synced together.
    func publish(_ pages: [NewPage]) throws(SystemError) -> [MadePage] {
        guard pages.count > 1 else {
            return try pages.map { page throws(SystemError) in try publish(page) }
        }
        var made: [MadePage] = []
        var changed: [(name: String, bytes: [UInt8])] = []
        var folder: Directory?
        for page in pages {
            if let obstacle = try obstacle(of: page) {
                made.append((page.path, .obstructed(by: obstacle)))
                continue
            }
            let (folderPath, name) = Layout.split(page.path)
            let place = try tree.root.makeDirectory(folderPath)
            let isUnchanged = try ifReadable(place.read(name)) == page.bytes
            made.append((page.path, isUnchanged ? .unchanged : .written))
            if !isUnchanged { changed.append((name, page.bytes)) }
            folder = place
        }
        if let folder { try publish(changed, in: folder, prefix: "page") }
        return made
    }

    /// What a user put in the place of the page or of its directory; `nil` if there is nothing.
    private func obstacle(of page: NewPage) throws(SystemError) -> String? {
        let (folderPath, name) = Layout.split(page.path)
        let folder: Directory
        do {
            folder = try tree.root.makeDirectory(folderPath)
        } catch  where error.isNotDirectory {
            let isBelow = (try? tree.root.status(PageFrame.folder))??.kind == .directory
            return isBelow ? folderPath : PageFrame.folder
        }
        if try folder.status(name) != nil, try !folder.isPage(name), try !folder.isBlank(name),
            try !folder.isBeginning(name, of: page.bytes)
        {
            return page.path
        }
        return nil
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
