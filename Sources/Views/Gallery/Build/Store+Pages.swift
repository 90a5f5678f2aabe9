internal import Glibc
internal import Mirror
internal import Platform

/// A page, script or style sheet of the gallery, the web pages in `gallery/` that show the whole mirror, as it is to be
/// written.
struct GalleryFile {
    /// Relative to the root of the mirror.
    let path: String
    /// The contents, which begin with ``PageFrame/mark`` or ``Asset/mark``, by which the mirror knows its files.
    ///
    /// A page ends with ``InputDigest/lastLine(forFileAt:)``: unless the next update finds that line there, made from the
    /// same records and pictures, it makes the page again.
    let bytes: [UInt8]
}

/// Writing the gallery. A file of the user is never replaced, and a file that would stay the same is not written.
extension Store {
    /// Whether the page at `path` has its end and was made from what `digest` identifies; `false` if it cannot be read.
    func hasPage(at path: String, madeFrom digest: InputDigest) throws(SystemError) -> Bool {
        let line = Array("\n\(digest.lastLine(forFileAt: path))".utf8)
        let end = try ifReadable(
            tree.root.openFile(path, O_RDONLY).readEnd(limit: line.count, path: path))
        return end == line
    }

    /// Publishes a file of the gallery, unless it has these contents or an item of the user is in its place.
    func publish(
        _ page: GalleryFile, reportingTo outcome: inout ViewOutcome
    ) throws(SystemError) {
        guard try prepareToWrite(page, reportingTo: &outcome) else { return }
        if try publishIfChanged(page.bytes, at: page.path) {
            outcome.changedPaths.append(page.path)
        }
    }

    /// Publishes pages in ``PageFrame/folder``, flushed together, as ``publish(_:reportingTo:)`` does.
    func publish(
        _ pages: [GalleryFile], reportingTo outcome: inout ViewOutcome
    ) throws(SystemError) {
        var changed: [(name: String, bytes: [UInt8])] = []
        for page in pages {
            guard try prepareToWrite(page, reportingTo: &outcome),
                // A page that cannot be read is written again.
                try ifReadable(tree.root.read(page.path)) != page.bytes
            else { continue }
            let (folder, name) = Layout.split(page.path)
            precondition(folder == PageFrame.folder)
            changed.append((name, page.bytes))
        }
        guard !changed.isEmpty else { return }
        let folder = try tree.root.makeDirectory(PageFrame.folder)
        try publish(changed, in: folder, prefix: "page")
        outcome.changedPaths += changed.map { "\(PageFrame.folder)/\($0.name)" }
    }

    /// Makes the directory of `page`, and returns whether the page may be written.
    ///
    /// It may not if a user put something in the place of the page or of a directory: that is added to `outcome`.
    private func prepareToWrite(
        _ page: GalleryFile, reportingTo outcome: inout ViewOutcome
    ) throws(SystemError) -> Bool {
        let (folderPath, name) = Layout.split(page.path)
        let folder: Directory
        do {
            folder = try tree.root.makeDirectory(folderPath)
        } catch  where error.isNotDirectory {
            // `gallery/` or a directory in it is a file of the user.
            let hasGallery = (try? tree.root.status(PageFrame.folder))??.kind == .directory
            outcome.addObstruction(
                by: hasGallery ? folderPath : PageFrame.folder, in: tree.root)
            return false
        }
        // A power cut can leave a file of the mirror empty, full of zeros or cut short.
        if try folder.status(name) != nil, try !folder.isGalleryFile(name),
            try !folder.isBlank(name), try !folder.isBeginning(name, of: page.bytes)
        {
            outcome.addObstruction(by: page.path, in: tree.root)
            return false
        }
        return true
    }
}

extension Directory {
    /// Whether the beginning of the file `name` shows that the mirror wrote it.
    func isGalleryFile(_ name: String) throws(SystemError) -> Bool {
        let start = try ifReadable(openFile(name, O_RDONLY).readStart(limit: 1024, path: name))
        guard let start else { return false }
        return [PageFrame.mark, Asset.mark].contains { start.contains(bytes: Array($0.utf8)) }
    }
}

extension InputDigest {
    /// The digest as a comment, for the end of the page or script at `path`; style sheets have none.
    func lastLine(forFileAt path: String) -> String {
        path.hasSuffix(".html") ? "<!-- \(text) -->\n" : "// \(text)\n"
    }
}
