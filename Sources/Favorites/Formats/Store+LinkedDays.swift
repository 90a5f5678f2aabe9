internal import APOD
internal import JSON
internal import Mirror
internal import Platform

/// The days of links in `favorites/` whose destination names no day, so that files of the mirror are read.
extension Store {
    /// The day of a link that the file manager Nemo made when a person dragged a picture from its list of recent files.
    ///
    /// Such a link has the `name` of the picture, but leads to `path`, which is `/` and a hash, where there is no file.
    ///
    /// - Returns: `nil` for any other link.
    func day(ofRecentLink name: FavoriteName, to path: PathText) throws(SystemError) -> Day? {
        guard path.parts.count == 1, let day = FileName.day(of: name.last),
            let record = try record(of: day),
            record.fileNames.contains(where: { $0.utf8.elementsEqual(name.last) }),
            try Directory(opening: "/").isCertainlyMissing(path.bytes)
        else { return nil }
        return day
    }

    /// The day to which `file` belongs now; `nil` if there is no such file, or if a person made it.
    func day(of file: LatestFile) throws(SystemError) -> Day? {
        switch file {
        case .picture: return try tree.latestPictureDay
        case .record:
            guard let bytes = try ifValid(tree.root.read(Layout.latestRecord)),
                let json = try? JSON(parsing: bytes)
            else { return nil }
            return DayRecord(json)?.entry.day
        }
    }
}
