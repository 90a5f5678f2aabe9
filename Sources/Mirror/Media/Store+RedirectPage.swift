internal import APOD
internal import Glibc
package import Platform

/// Writes and removes the redirect page of a day, which opens a video or NASA's article in a browser (see RedirectPage).
///
/// A page that a person has edited is never overwritten or deleted.
extension Store {
    /// Publishes the redirect page of `record`, if its day needs one, at the path that it has in the record `earlier`.
    ///
    /// This function deletes no page: the publication of the record does.
    ///
    /// - Returns: The path of the page, which the caller records; `nil` if the day has none.
    func publishRedirectPage(
        of record: DayRecord, after earlier: DayRecord?
    ) throws(SystemError) -> String? {
        let current = earlier?.page
        // `--keep` has deleted the page. If the day is downloaded again, the page gets the same path.
        guard record.removed == nil else { return current }
        guard record.needsRedirectPage else { return nil }
        // If no address is accepted now, an earlier page is better than none.
        guard let page = record.redirectPage else { return current }
        do {
            let path = try pagePath(of: record, page, current: current)
            if try pageContents(at: path) == page { return path }
            try moveEditedPage(at: path, after: earlier, of: record.entry.day)
            try publishDayFile(page, of: record, at: path)
            return path
        } catch  where error.cause == .invalid || Self.codesOfRefusedPath.contains(error.code) {
            // A page is not worth a failure of the whole day, which goes without one.
            return nil
        } catch  where error.cause == .denied || (current != nil && !error.concernsEveryFile) {
            // The page cannot be read or written, and stays the page of the day. A day's first page is tried again.
            return current
        }
    }

    /// The errors of a file system that does not accept the name, or of a person's item in the place of the page.
    private static let codesOfRefusedPath = [EEXIST, EINVAL, ENAMETOOLONG, ENOTDIR, ENOTEMPTY]

    /// The `current` path; for a day's first page, one with the name of its picture, and a number if a person's file is there.
    private func pagePath(
        of record: DayRecord, _ page: [UInt8], current: String?
    ) throws(SystemError) -> String {
        if let current { return current }
        let path = Layout.mediaPath(
            of: record.entry.day, title: record.entry.title, fileExtension: "html",
            replacing: record.picture?.path)
        return try freePath(path) { candidate throws(SystemError) in
            try pageContents(at: candidate) == page
        }
    }

    /// The most bytes of a page that are read; a page of this program has about 1,000.
    private static let largestPage = 64 << 10

    /// The contents of the file at `path`; `nil` if there is none, or if it is too large for a page.
    private func pageContents(at path: String) throws(SystemError) -> [UInt8]? {
        try ifValid(tree.root.read(path, limit: Self.largestPage))
    }

    /// Moves the page at `path` into `damaged/` if a person has edited it: it differs from the page of the record `earlier`.
    private func moveEditedPage(
        at path: String, after earlier: DayRecord?, of day: Day
    ) throws(SystemError) {
        let earlierPage = earlier?.page == path ? earlier?.redirectPage : nil
        if let earlierPage, try pageContents(at: path) == earlierPage { return }
        // A directory stays in place, and the publication of the page then fails.
        guard let item = try tree.root.status(path), item.kind != .directory else { return }
        // mutation test: keep-page (see Tests/Mutants)
        try moveDamaged(path, of: day)
    }

    /// Deletes the redirect page of `record`, unless a person has edited it.
    func removeRedirectPage(of record: DayRecord) throws(SystemError) {
        guard let path = record.page, let page = record.redirectPage else { return }
        try remove(path, provedBy: .contents(page))
    }

    /// Writes the lost redirect pages of `days` again; one that cannot be written is tried again after the next walk.
    func restoreRedirectPages(of days: Set<Day>) {
        for day in days {
            if let record = try? record(of: day) { _ = try? tree.restoreRedirectPage(of: record) }
            snapshots.recordChange(of: day)
        }
    }
}

extension Tree {
    /// Publishes the redirect page of `record` again if it is missing, for example because a person has moved it.
    ///
    /// - Returns: The path of the new page; `nil` if no page was missing, or if that is not certain.
    package func restoreRedirectPage(of record: DayRecord) throws(SystemError) -> String? {
        guard let (path, contents) = record.pageFile, root.isCertainlyMissing(path)
        else { return nil }
        let (folder, name) = Layout.split(path)
        let draft = try AtomicFile(name, in: root.makeDirectory(Layout.incoming))
        try draft.write(contents)
        draft.file.setModified(record.fileTime)
        do throws(SystemError) {
            try draft.publishNew(in: root.makeDirectory(folder), as: name)
            return path
        } catch  where error.code == EEXIST {
            // Meanwhile a sync or a scan has restored the page, or a person has put something there.
            return nil
        }
    }
}
