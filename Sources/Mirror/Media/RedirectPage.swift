internal import APOD
internal import Glibc
package import Platform

/// The redirect page of a day: a small HTML file beside the pictures that opens in a browser what is not downloaded.
///
/// It plays a video that NASA hosts, redirects to a video elsewhere, such as on YouTube, or redirects to NASA's
/// article. Every file manager opens HTML, while a `.desktop` file needs confirmation, and a `.url` needs Windows.
extension DayRecord {
    /// The redirect page that should be in the tree; `nil` if there should be none.
    ///
    /// A page beside a downloaded video may belong to another program.
    package var pageFile: (path: String, contents: [UInt8])? {
        guard removed == nil, video?.path == nil, let page, let redirectPage else { return nil }
        return (page, redirectPage)
    }

    /// The contents of the page; `nil` if no address is accepted.
    ///
    /// The page has the date, so that a copy in `favorites/` is recognized under any name.
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
    /// Publishes the page of a day that has a video which is not downloaded, or neither a video nor a picture.
    ///
    /// The page keeps the name that `earlier` records. The publication of the record removes a page that is not needed.
    ///
    /// - Returns: The path of the page; `nil` if the day has none.
    func publishRedirectPage(
        of record: DayRecord, after earlier: DayRecord?
    ) throws(SystemError) -> String? {
        let current = earlier?.page
        // The page of a removed day is gone, and comes back at its path with the day.
        guard record.removed == nil else { return current }
        guard record.video?.path == nil, record.video != nil || record.picture == nil else {
            return nil
        }
        // Without an accepted address, an earlier page is better than none.
        guard let page = record.redirectPage else { return current }
        do {
            let path = if let current { current } else { try newPagePath(of: record, page) }
            if try pageContents(at: path) == page { return path }
            try moveEditedPage(at: path, after: earlier, of: record.entry.day)
            try publishDayFile(page, of: record, at: path)
            return path
        } catch  where [EACCES, EPERM].contains(error.code) {
            // A page that this user may not read or write stays the page of the day.
            return current
        } catch  where error.cause == .invalid || Self.nameErrors.contains(error.code) {
            // The day goes without a page.
            return nil
        }
    }

    /// The errors of a file system that does not accept the name, or of a user's item in its place.
    private static let nameErrors = [EEXIST, EINVAL, ENAMETOOLONG, ENOTDIR, ENOTEMPTY]

    /// The contents at `path`; `nil` if there is nothing, or something else than a small file.
    private func pageContents(at path: String) throws(SystemError) -> [UInt8]? {
        try ifValid(tree.root.read(path, limit: 64 << 10))
    }

    /// The path of a day's first page: beside its picture, with a number if a user's file has the name.
    private func newPagePath(of record: DayRecord, _ page: [UInt8]) throws(SystemError) -> String {
        let path = Layout.mediaPath(
            of: record.entry.day, title: record.entry.title, "html",
            replacing: record.picture?.path)
        return try freePath(path) { candidate throws(SystemError) in
            try pageContents(at: candidate) == page
        }
    }

    /// Moves the page at `path`, which a user may have edited, into `damaged/`, unless it is as `earlier` gives it.
    private func moveEditedPage(
        at path: String, after earlier: DayRecord?, of day: Day
    ) throws(SystemError) {
        if let earlier, earlier.page == path, let page = earlier.redirectPage,
            try pageContents(at: path) == page
        {
            return
        }
        // A directory stays, because a page cannot replace it.
        guard try tree.root.status(path).map({ $0.kind != .directory }) ?? false else { return }
        // mutation test: keep-page
        try moveDamaged(path, of: day)
    }

    /// Removes the redirect page of `record`, unless a user edited it.
    func removeRedirectPage(of record: DayRecord) throws(SystemError) {
        guard let path = record.page, let page = record.redirectPage else { return }
        try remove(path, provedBy: .contents(page))
    }
}

extension Tree {
    /// Publishes the redirect page of `record` again if it is certainly missing, for example because a person moved it.
    ///
    /// - Returns: The path of the new page; `nil` if none was missing.
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
            // A sync or a scan restored it meanwhile, or a person put something there.
            return nil
        }
    }
}
