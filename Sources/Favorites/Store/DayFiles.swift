internal import APOD
internal import JSON
internal import Mirror
internal import Platform

/// Finds the file to which a link in `favorites/` leads.
struct DayFiles {
    let tree: Tree
    /// The names of the pins of favorites, in ``FavoriteStore/folder``.
    let pins: [Day: String]

    /// The record of `day`; `nil` if there is none or it is damaged.
    ///
    /// - Throws: ``SystemError`` if it cannot be read: that says nothing about the day.
    func dayRecord(of day: Day) throws(SystemError) -> DayRecord? {
        try Store(reading: tree).readRecord(of: day)
    }

    /// The path of the picture, else of the video; `nil` if no such file exists.
    func media(_ record: DayRecord?) throws(SystemError) -> String? {
        for path in [record?.picture?.path, record?.video?.path].compactMap(\.self)
        where try tree.root.status(path)?.kind == .file {
            return path
        }
        return nil
    }

    /// The path to which a link to `day` leads.
    ///
    /// The first of: the picture or video that exists; the recorded path of one that is missing now, as it returns to
    /// it; the pin; the page; the record, if NASA has no picture of the day. `nil` if there is no
    /// intact record, or a picture is expected whose path is not known yet.
    func linkTarget(of day: Day) throws(SystemError) -> String? {
        let record = try dayRecord(of: day)
        if let media = try media(record) ?? record?.picture?.path ?? record?.video?.path {
            return media
        }
        if let pin = pins[day] { return "\(FavoriteStore.folder)/\(pin)" }
        if let page = record?.page, try tree.root.status(page)?.kind == .file {
            return page
        }
        // NASA has not said yet what it is where the type is empty.
        guard let record, !["image", ""].contains(record.entry.mediaType) else { return nil }
        return Layout.recordPath(of: day)
    }

    /// The path of a link to a day that is not mirrored yet; the link is repaired once the day is.
    static func placeholder(_ day: Day) -> String {
        "\(Layout.folder(Layout.pictures, of: day))/\(day)"
    }

    /// The newest day in the mirror: that of `latest.json`, else that of `latest.jpg`.
    static func latest(in tree: Tree) -> Day? {
        latest(in: tree, by: OwnedPath.latestRecord.path) ?? tree.latestPictureDay
    }

    /// The day that is shown by `name`, one of ``PathText/latestName`` in the root.
    ///
    /// `nil` if a user's own file has the name, or it cannot be read: the link then stays as it is.
    static func latest(in tree: Tree, by name: String) -> Day? {
        switch name {
        case OwnedPath.latestRecord.path:
            guard (try? OwnedPath.latestRecord.isOwn(tree.root)) == true else { return nil }
            let json = ((try? tree.root.read(name)) ?? nil).flatMap { try? JSON(parsing: $0) }
            return json.flatMap { DayRecord($0) }?.entry.day
        case OwnedPath.latestPicture.path: return tree.latestPictureDay
        default:
            // A name of earlier versions, which the mirror does not write: what has it now is the user's, and a link to
            // nothing still means the newest picture.
            do {
                return try tree.root.status(name) == nil ? tree.latestPictureDay : nil
            } catch {
                return nil
            }
        }
    }
}
