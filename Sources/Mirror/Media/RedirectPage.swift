internal import APOD
internal import Glibc
package import Platform

/// The redirect page of a day: a small HTML file beside the pictures, for a day whose video or article is not downloaded.
///
/// In a browser, it plays a video that NASA hosts, or leads to a video elsewhere, such as on YouTube, or to NASA's article.
/// It is HTML because every file manager opens that. A `.desktop` file needs a confirmation, and a `.url` file needs Windows.
/// The mark `mutation test: …` is for Tests/Mutants.
extension DayRecord {
    /// The path and contents of the redirect page that should be in the tree; `nil` if there should be none.
    ///
    /// A day with a downloaded video needs none: a page beside the video may belong to another program.
    package var pageFile: (path: String, contents: [UInt8])? {
        guard removed == nil, video?.path == nil, let page, let redirectPage else { return nil }
        return (page, redirectPage)
    }

    /// The contents of the page; `nil` if the addresses of video and article are not accepted.
    ///
    /// The page contains the date, so that a copy of it in `favorites/` is recognized even under another name.
    package var redirectPage: [UInt8]? {
        let article =
            entry.permalink ?? "https://apod.nasa.gov/apod/ap\(entry.day.compact).html"
        guard
            let page = video.flatMap({ VideoPageURL(of: $0.url) }) ?? VideoPageURL(article: article)
        else { return nil }
        let url = page.url.htmlEscaped
        return page.isFile
            ? html(leadingTo: url, head: Self.playerHead, body: Self.playerBody(url))
            : html(leadingTo: url, head: Self.redirectHead(url), body: "")
    }

    private static func redirectHead(_ url: String) -> String {
        """
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'">
        <meta http-equiv="refresh" content="0; url=\(url)">
        """
    }

    private static let playerHead = """
        <meta http-equiv="Content-Security-Policy" \
        content="default-src 'none'; media-src https:; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width">
        <style>video { max-width: 100%; max-height: 80vh }</style>
        """

    private static func playerBody(_ url: String) -> String {
        """
        <video src="\(url)" controls></video>
        <p>This video is at NASA. With <code>--videos</code>, apod-mirror downloads it into this folder.</p>

        """
    }

    private func html(leadingTo url: String, head: String, body: String) -> [UInt8] {
        let title = entry.title.htmlEscaped
        let text = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            \(head)
            <meta name="color-scheme" content="light dark">
            <title>APOD \(entry.day): \(title)</title>
            </head>
            <body>
            <main>
            <h1><a href="\(url)">\(title)</a></h1>
            \(body)</main>
            </body>
            </html>

            """
        return Array(text.utf8)
    }
}

// MARK: In the tree

extension Store {
    /// Publishes the redirect page of `record`, if its video is not downloaded, or if it has neither a video nor a picture.
    ///
    /// The page keeps its path in the record `earlier`. This function deletes no page: the publication of the record does.
    ///
    /// - Returns: The path of the page, which the caller records; `nil` if the day has none.
    func publishRedirectPage(
        of record: DayRecord, after earlier: DayRecord?
    ) throws(SystemError) -> String? {
        let current = earlier?.page
        // `--keep` has deleted the page. If the day is downloaded again, the page gets the same path.
        guard record.removed == nil else { return current }
        guard record.video?.path == nil, record.video != nil || record.picture == nil else {
            return nil
        }
        // No address is accepted now, and an earlier page is better than none.
        guard let page = record.redirectPage else { return current }
        do {
            let path = if let current { current } else { try newPagePath(of: record, page) }
            if try pageContents(at: path) == page { return path }
            try moveEditedPage(at: path, after: earlier, of: record.entry.day)
            try publishDayFile(page, of: record, at: path)
            return path
        } catch  where [EACCES, EPERM].contains(error.code) {
            // This user may not read or write the page, and it stays the page of the day.
            return current
        } catch  where error.cause == .invalid || Self.nameErrors.contains(error.code) {
            // A page is not worth a failure of the whole day, which goes without one.
            return nil
        }
    }

    /// The codes of a file system that does not accept the name, or of a person's item in the place of the page.
    private static let nameErrors = [EEXIST, EINVAL, ENAMETOOLONG, ENOTDIR, ENOTEMPTY]

    /// The most bytes of a page that are read; a page of this program has about 1,000.
    private static let largestPage = 64 << 10

    /// The contents of the file at `path`; `nil` if there is none, or if it is too large for a page.
    private func pageContents(at path: String) throws(SystemError) -> [UInt8]? {
        try ifValid(tree.root.read(path, limit: Self.largestPage))
    }

    /// The path of a day's first page: with the name of its picture, and a number if a person's file has that name.
    private func newPagePath(of record: DayRecord, _ page: [UInt8]) throws(SystemError) -> String {
        let path = Layout.mediaPath(
            of: record.entry.day, title: record.entry.title, "html",
            replacing: record.picture?.path)
        return try freePath(path) { candidate throws(SystemError) in
            try pageContents(at: candidate) == page
        }
    }

    /// Moves the page at `path` into `damaged/` if a person has edited it: it differs from the page of the record `earlier`.
    private func moveEditedPage(
        at path: String, after earlier: DayRecord?, of day: Day
    ) throws(SystemError) {
        if let earlier, earlier.page == path, let page = earlier.redirectPage,
            try pageContents(at: path) == page
        {
            return
        }
        // A directory stays in place, and the publication of the page then fails.
        guard try tree.root.status(path).map({ $0.kind != .directory }) ?? false else { return }
        // mutation test: keep-page
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
            if let record = try? record(of: day) {
                _ = try? tree.restoreRedirectPage(of: record)
            }
            snapshots.recordChange(of: day)
        }
    }
}

extension Tree {
    /// Publishes the redirect page of `record` again if it is missing, for example because a person has moved it.
    ///
    /// - Returns: The path of the new page; `nil` if no page was missing, or if that is not certain.
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
            return path
        } catch  where error.code == EEXIST {
            // Meanwhile a sync or a scan has restored the page, or a person has put something there.
            return nil
        }
    }
}
