internal import APOD
internal import JSON
internal import Mirror
internal import Platform

/// Finds the file of a day that a link leads to.
struct DayFiles {
    let tree: Tree
    let pins: [Day: String]

    /// The record of `day`; `nil` if there is none or it is damaged.
    ///
    /// - Throws: ``SystemError`` if it cannot be read: that says nothing about the day.
    func dayRecord(of day: Day) throws(SystemError) -> DayRecord? {
        try Store(reading: tree).readRecord(of: day)
    }

    /// The path of the picture or video, `nil` if it does not exist.
    func media(_ record: DayRecord?) throws(SystemError) -> String? {
        for path in [record?.picture?.path, record?.video?.path].compactMap(\.self)
        where try tree.root.status(path)?.kind == .file {
            return path
        }
        return nil
    }

    /// The path that a link to `day` leads to: of the picture or video, even if it is missing now, as it
    /// returns to its path; of the page of the video, or of the record, if NASA has neither.
    ///
    /// `nil` if a picture is expected whose path is not known yet, and there is no pin.
    func best(_ day: Day) throws(SystemError) -> String? {
        let record = try dayRecord(of: day)
        if let media = try media(record) ?? record?.picture?.path ?? record?.video?.path {
            return media
        }
        if let pin = pins[day] { return "\(FavoriteStore.folder)/\(pin)" }
        if let page = record?.video?.page, try tree.root.status(page)?.kind == .file {
            return page
        }
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

    /// The day that `name` in the root shows, one of ``PathText/latestName``; `nil` if a user's own file has the name.
    static func latest(in tree: Tree, by name: String) -> Day? {
        switch name {
        case OwnedPath.latestRecord.path:
            guard (try? OwnedPath.latestRecord.isOwn(tree.root)) == true else { return nil }
            let json = ((try? tree.root.read(name)) ?? nil).flatMap { try? JSON(parsing: $0) }
            return json.flatMap { DayRecord($0) }?.entry.day
        case OwnedPath.latestPicture.path: return tree.latestPictureDay
        default:
            // An old name: a file of that name is not the mirror's.
            do {
                return try tree.root.status(name) == nil ? tree.latestPictureDay : nil
            } catch {
                return nil
            }
        }
    }
}
