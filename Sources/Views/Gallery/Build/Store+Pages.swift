internal import Glibc
internal import Mirror
internal import Platform

/// A file of the gallery that is to be published.
struct NewPage {
    let path: String
    /// With ``PageFrame/mark`` or ``Asset/mark`` near the beginning, by which the mirror knows its files.
    ///
    /// The last line is ``InputDigest/lastLine(of:)``, by which the next update knows that the page is complete and made from
    /// the same; without it the page is made again.
    let bytes: [UInt8]
}

extension Store {
    /// Whether the page at `path` is complete and was made from what `digest` identifies; not if it cannot be read.
    func page(at path: String, isFrom digest: InputDigest) throws(SystemError) -> Bool {
        let line = Array("\n\(digest.lastLine(of: path))".utf8)
        let end = try ifReadable(
            tree.root.openFile(path, O_RDONLY).readEnd(limit: line.count, path: path))
        return end == line
    }

    /// Publishes a file of the gallery, unless it has these contents or an item of the user is in its place.
    func publish(
        _ page: NewPage, reportingTo outcome: inout ViewOutcome
    ) throws(SystemError) {
        guard try mayWrite(page, reportingTo: &outcome) else { return }
        if try publish(page.bytes, at: page.path) { outcome.changedPaths.append(page.path) }
    }

    /// Publishes pages in ``PageFrame/folder``, flushed together, as ``publish(_:reportingTo:)`` does.
    func publish(
        _ pages: [NewPage], reportingTo outcome: inout ViewOutcome
    ) throws(SystemError) {
        var changed: [(name: String, bytes: [UInt8])] = []
        for page in pages {
            guard try mayWrite(page, reportingTo: &outcome),
                try ifReadable(tree.root.read(page.path)) != page.bytes
            else { continue }
            let (folder, name) = Layout.split(page.path)
            precondition(folder == PageFrame.folder)
            changed.append((name, page.bytes))
            outcome.changedPaths.append(page.path)
        }
        guard !changed.isEmpty else { return }
        let folder = try tree.root.makeDirectory(PageFrame.folder)
        try publish(changed, in: folder, prefix: "page")
    }

    /// Makes the directory of the page; returns false and adds the problem if a user put something in the place of it or of
    /// the page.
    private func mayWrite(
        _ page: NewPage, reportingTo outcome: inout ViewOutcome
    ) throws(SystemError) -> Bool {
        let (folderPath, name) = Layout.split(page.path)
        let folder: Directory
        do {
            folder = try tree.root.makeDirectory(folderPath)
        } catch  where error.isNotDirectory {
            // `gallery/` or a directory in it.
            let galleryIsThere = (try? tree.root.status(PageFrame.folder))??.kind == .directory
            outcome.addObstruction(
                by: galleryIsThere ? folderPath : PageFrame.folder, in: tree.root)
            return false
        }
        // A power cut can leave a file of the mirror empty, full of zeros or cut short.
        if try folder.status(name) != nil, try !folder.isPage(name), try !folder.isBlank(name),
            try !folder.isBeginning(name, of: page.bytes)
        {
            outcome.addObstruction(by: page.path, in: tree.root)
            return false
        }
        return true
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

extension InputDigest {
    /// The digest as a comment, the last line of the page or script at `path`.
    func lastLine(of path: String) -> String {
        path.hasSuffix(".html") ? "<!-- \(text) -->\n" : "// \(text)\n"
    }
}
