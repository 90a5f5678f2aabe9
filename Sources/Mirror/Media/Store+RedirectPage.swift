internal import APOD
internal import Glibc
package import Platform

/// Publishes the redirect page of a day, a small HTML file among the pictures, see ``DayRecord/redirectPage``.
extension Store {
    /// Publishes the page that opens the video of `record`, or NASA's article if there is neither a video nor a
    /// picture; none where the video itself is downloaded.
    ///
    /// The page of the `earlier` record keeps its name. One that is not needed any more is removed when the record
    /// is published: ``removeRedirectPage(of:)``.
    ///
    /// - Returns: The path of the page, relative to the root; `nil` if there is none.
    func publishRedirectPage(
        of record: DayRecord, after earlier: DayRecord?
    ) throws(SystemError) -> String? {
        let current = earlier?.page
        let day = record.entry.day
        // The page of a removed day is gone, and is made again at its path with the day.
        guard record.removed == nil else { return current }
        guard record.video?.path == nil, record.video != nil || record.picture == nil else {
            return nil
        }
        // No accepted address to open: an earlier page is better than none.
        guard let page = record.redirectPage else { return current }
        do {
            let path = if let current { current } else { try newPagePath(of: record, page) }
            if try pageContents(at: path) == page { return path }
            try keepChangedPage(at: path, of: day, earlier)
            try publishDayFile(page, of: record, at: path)
            return path
        } catch  where [EACCES, EPERM].contains(error.code) {
            // A page that this user may not read or write stays that of the day.
            return current
        } catch  where error.cause == .invalid || Self.nameErrors.contains(error.code) {
            // That costs only the page, not the day.
            return nil
        }
    }

    /// Errors by which a file system, or an item of a user in its place, prevents a page of that name.
    private static let nameErrors = [EEXIST, EINVAL, ENAMETOOLONG, ENOTDIR, ENOTEMPTY]

    /// The contents of a page; `nil` if there is none, or what is there is none, so that it counts as changed.
    private func pageContents(at path: String) throws(SystemError) -> [UInt8]? {
        try ifValid(tree.root.read(path, limit: 64 << 10))
    }

    /// The path of a first page with these contents: beside the poster, with a number where a user's file has the name.
    private func newPagePath(of record: DayRecord, _ page: [UInt8]) throws(SystemError) -> String {
        let path = Layout.mediaPath(
            of: record.entry.day, title: record.entry.title, "html",
            replacing: record.picture?.path)
        return try freePath(path) { candidate throws(SystemError) in
            try pageContents(at: candidate) == page
        }
    }

    /// Moves the page at `path` into `damaged/` before it is replaced, unless it is that of `earlier`.
    ///
    /// A user may have edited it. The page of an older version of this program counts as edited, too.
    private func keepChangedPage(
        at path: String, of day: Day, _ earlier: DayRecord?
    ) throws(SystemError) {
        if let earlier, earlier.page == path, let page = earlier.redirectPage,
            try pageContents(at: path) == page
        {
            return
        }
        // A directory cannot be replaced by a page.
        guard try tree.root.status(path).map({ $0.kind != .directory }) ?? false else { return }
        // The edits of a user are not lost with the page.
        // mutation test: keep-page
        try moveDamaged(path, of: day)
    }

    /// Removes the redirect page of `record`, unless somebody edited it.
    func removeRedirectPage(of record: DayRecord) throws(SystemError) {
        guard let path = record.page, let page = record.redirectPage else { return }
        try remove(path, provedBy: .contents(page))
    }
}

extension Tree {
    /// Publishes the redirect page of `record` again if it is certainly missing, as where a person moved it.
    ///
    /// - Returns: Its path; `nil` if it is not missing.
    package func restoreRedirectPage(of record: DayRecord) throws(SystemError) -> String? {
        guard let (path, contents) = record.pageFile, root.isCertainlyMissing(path) else {
            return nil
        }
        let (folder, name) = Layout.split(path)
        let draft = try AtomicFile(name, in: root.makeDirectory(Layout.incoming))
        try draft.write(contents)
        draft.file.setModified(record.fileTime)
        do throws(SystemError) {
            try draft.publishNew(in: root.makeDirectory(folder), as: name)
        } catch {
            // A sync or a scan restored it meanwhile, or a person put something there.
            guard error.code == EEXIST else { throw error }
            return nil
        }
        return path
    }
}
