internal import APOD
internal import Glibc
internal import Platform

extension Store {
    private static let nameErrors = [
        EACCES, EEXIST, EINVAL, EISDIR, ELOOP, ENAMETOOLONG, ENOTDIR, ENOTEMPTY, EPERM,
    ]

    /// Publishes the redirect page to the video of `record` beside its poster, unless the video itself
    /// is downloaded; removes the page if the video is, or if there is none any more.
    ///
    /// The page of the `earlier` record keeps its name.
    ///
    /// - Returns: The path of the page, relative to the root; `nil` if there is none.
    /// - Throws: ``SystemError``. What has the name of the page already, or a file system that cannot have
    ///   that name, costs only the page, not the day.
    func publishRedirectPage(
        of record: DayRecord, after earlier: DayRecord?
    ) throws(SystemError) -> String? {
        let current = earlier?.video?.page
        let day = record.entry.day
        // The page of a removed day is in the trash.
        guard record.removed == nil else { return current }
        do {
            guard let video = record.video, video.path == nil else {
                if let earlier { try removeRedirectPage(of: earlier) }
                return nil
            }
            guard let page = VideoRedirectPage(of: record) else { return current }
            let unrecorded = current == nil ? try unrecordedRedirectPage(of: day) : nil
            let path =
                current ?? unrecorded
                ?? Layout.mediaPath(
                    of: day, title: record.entry.title, "html", replacing: record.picture?.path)
            if (try? tree.root.read(path, limit: 64 << 10)) == page.document { return path }
            try keepChangedPage(at: path, of: day, earlier)
            try publish(page.document, of: day, at: path)
            return path
        } catch  where Self.nameErrors.contains(error.code) || error.isInvalidFile {
            return nil
        }
    }

    /// The path of a redirect page of `day` whose record is lost.
    private func unrecordedRedirectPage(of day: Day) throws(SystemError) -> String? {
        let mark = VideoRedirectPage.titleStart(of: day)
        return try mediaFiles(of: day).first { path in
            guard path.hasSuffix(".html"),
                let bytes = try? tree.root.read(path, limit: 64 << 10)
            else { return false }
            return bytes.firstRange(of: mark.utf8) != nil
        }
    }

    /// Links the page at `path` into `damaged/` before it is replaced, unless it is that of `earlier`.
    private func keepChangedPage(
        at path: String, of day: Day, _ earlier: DayRecord?
    ) throws(SystemError) {
        if let earlier, earlier.video?.page == path, let page = VideoRedirectPage(of: earlier),
            (try? tree.root.read(path, limit: 64 << 10)) == page.document
        {
            return
        }
        // A directory cannot be replaced by a page.
        guard try tree.root.status(path).map({ $0.kind != .directory }) ?? false else { return }
        // mutant: keep-page
        try keepDamaged(path, of: day)
    }

    /// Removes the redirect page of `record`, if it is unchanged.
    private func removeRedirectPage(of record: DayRecord) throws(SystemError) {
        guard let path = record.video?.page, let page = VideoRedirectPage(of: record),
            try tree.root.read(path, limit: 64 << 10) == page.document
        else { return }
        let (above, name) = Layout.split(path)
        guard let folder = try tree.root.folder(above) else { return }
        try folder.remove(name)
        try folder.synchronize()
    }
}

extension VideoRedirectPage {
    /// The page of `record`; `nil` if the record has no video with an accepted address.
    init?(of record: DayRecord) {
        guard let video = record.video else { return nil }
        let article =
            record.entry.permalink
            ?? "https://apod.nasa.gov/apod/ap\(record.entry.day.compact).html"
        self.init(to: video.url, or: article, of: record.entry.day, title: record.entry.title)
    }
}
