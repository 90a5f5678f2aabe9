internal import APOD
internal import Platform

extension Store {
    private static let shortcutExtension = "html"

    /// Puts the shortcut to the video of `record` beside its poster, unless the video itself is kept;
    /// where there is no video any more, its shortcut goes.
    ///
    /// - Parameters:
    ///   - record: What is about to be published.
    ///   - earlier: What was known of the day: a shortcut keeps the name it has.
    /// - Returns: The path of the shortcut, relative to the root; `nil` where there is none.
    /// - Throws: ``SystemError`` where the disk is full. What else stands in the way of a shortcut is no
    ///   reason to go without the day.
    func keepShortcut(
        of record: DayRecord, after earlier: DayRecord?
    ) throws(SystemError) -> String? {
        let had = earlier?.video?.shortcut
        let (day, title) = (record.entry.day, record.entry.title)
        if record.video == nil, let earlier { removeShortcut(of: earlier) }
        guard let video = record.video, video.path == nil,
            let shortcut = VideoRedirectPage(
                to: video.url, or: Self.article(of: record), of: day, title: title)
        else { return had }
        let standing = had == nil ? try standingShortcut(of: day) : nil
        let path = had ?? standing ?? Self.shortcutPath(of: record)
        if (try? tree.root.read(path, limit: 64 << 10)) == shortcut.document { return path }
        do {
            try publish(shortcut, of: day, at: path)
            return path
        } catch {
            guard !error.isNoSpace else { throw error }
            return nil
        }
    }

    /// Removes the shortcut of `record`, where it is the very file that we wrote.
    private func removeShortcut(of record: DayRecord) {
        guard let video = record.video, let path = video.shortcut,
            let shortcut = VideoRedirectPage(
                to: video.url, or: Self.article(of: record), of: record.entry.day,
                title: record.entry.title),
            (try? tree.root.read(path, limit: 64 << 10)) == shortcut.document
        else { return }
        let (above, name) = Layout.split(path)
        guard let folder = try? tree.root.folder(above) else { return }
        try? folder.remove(name)
        try? folder.synchronize()
    }

    private func publish(
        _ shortcut: VideoRedirectPage, of day: Day, at path: String
    ) throws(SystemError) {
        let (folder, name) = Layout.split(path)
        let draft = try draft("\(day).shortcut.part")
        try draft.write(shortcut.document)
        try draft.file.setModified(day.noon, path: draft.path)
        try draft.publish(in: try tree.root.makeDirectory(folder), as: name)
    }

    /// NASA's page of the day.
    private static func article(of record: DayRecord) -> String {
        record.entry.permalink
            ?? "https://apod.nasa.gov/apod/ap\(record.entry.day.compact).html"
    }

    /// The name of the poster, where there is one; else what its name would be.
    private static func shortcutPath(of record: DayRecord) -> String {
        if let poster = record.picture?.path, let dot = poster.lastIndex(of: ".") {
            return "\(poster[..<dot]).\(shortcutExtension)"
        }
        let day = record.entry.day
        let stem = FileName.stem(of: day, title: record.entry.title)
        return "\(Layout.folder(Layout.pictures, of: day))/\(stem).\(shortcutExtension)"
    }
}
