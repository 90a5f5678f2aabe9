internal import APOD
internal import JSON
internal import Mirror
internal import Platform

/// Finds the paths to which links in `favorites/` to a day lead.
struct LinkTargets {
    let tree: Tree
    /// The names of the pins of favorites, in ``FavoriteStore/folder``.
    let pins: [Day: String]

    /// The record of `day`; `nil` if there is none or it is damaged.
    ///
    /// - Throws: ``SystemError`` if the disk returns an error, which says nothing about the day.
    func dayRecord(of day: Day) throws(SystemError) -> DayRecord? {
        try Store(reading: tree).readableRecord(of: day)
    }

    /// The path of the picture, else of the video; `nil` if no such file exists.
    func media(_ record: DayRecord?) throws(SystemError) -> String? {
        for path in [record?.picture?.path, record?.video?.path].compactMap(\.self)
        where try tree.root.status(path)?.kind == .file {
            return path
        }
        return nil
    }

    /// The path to which a link to `day` leads; `nil` if it is not known yet.
    ///
    /// The first of: the picture or video that exists; the recorded path of one that is missing now, to which
    /// it returns; the pin; the page; the record, if NASA has no picture of the day.
    func path(of day: Day) throws(SystemError) -> String? {
        let record = try dayRecord(of: day)
        if let media = try media(record) ?? record?.picture?.path ?? record?.video?.path {
            return media
        }
        if let pin = pins[day] { return "\(FavoriteStore.folder)/\(pin)" }
        if let page = record?.page, try tree.root.status(page)?.kind == .file {
            return page
        }
        // The picture of an image is awaited, and of an entry whose type NASA has not given yet.
        guard let record, !["image", ""].contains(record.entry.mediaType) else { return nil }
        return Layout.recordPath(of: day)
    }

    /// The path of a link to a day that is not mirrored yet; the link is repaired once the day is.
    static func placeholder(_ day: Day) -> String {
        "\(Layout.folder(Layout.pictures, of: day))/\(day)"
    }

    /// The day that is shown by `name`, one of ``PathText/latestName`` in the root; `nil` if a user's own
    /// file has the name, or the file cannot be read.
    static func dayOfLatest(in tree: Tree, named name: String) -> Day? {
        switch name {
        case OwnedPath.latestRecord.path:
            guard (try? OwnedPath.latestRecord.isOwn(tree.root)) == true else { return nil }
            let json = ((try? tree.root.read(name)) ?? nil).flatMap { try? JSON(parsing: $0) }
            return json.flatMap { DayRecord($0) }?.entry.day
        case OwnedPath.latestPicture.path: return tree.latestPictureDay
        default:
            // Links of earlier versions have this name; a file of this name is a user's.
            let isFree = (try? tree.root.status(name) == nil) ?? false
            return isFree ? tree.latestPictureDay : nil
        }
    }
}
