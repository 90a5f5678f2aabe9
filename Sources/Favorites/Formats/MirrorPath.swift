internal import APOD
internal import JSON
internal import Mirror
internal import Platform

/// The day that a path names, by the rules for the names of files in a mirror.
extension PathText {
    /// The day of a path in any mirror, also in a network share: it ends like `2026/2026-11/2026-11-20 X.jpg`.
    var mirroredDay: Day? {
        guard parts.count >= 3, let name = parts.last, let day = FileName.day(of: Array(name))
        else { return nil }
        let (year, month) = (parts[parts.count - 3], parts[parts.count - 2])
        return year.elementsEqual(name.prefix(4)) && month.elementsEqual(name.prefix(7)) ? day : nil
    }

    /// The day at the beginning of the last part, where the names of a mirror's files have it.
    var fileDay: Day? { parts.last.flatMap { FileName.day(of: Array($0)) } }

    /// The day in a name of NASA's old site, such as `ap261120.html`, which many sites and programs keep.
    var oldNameDay: Day? {
        guard let name = parts.last, name.prefix(2).map(\.lowercased).elementsEqual("ap".utf8)
        else { return nil }
        return DateInName(startOf: name)?.day
    }

    /// The day of a file in `v1/` of a mirror: `v1/2026-11-20.json`.
    var v1Day: Day? {
        guard parts.dropLast().last?.elementsEqual("v1".utf8) == true,
            let ending = parts.last?.dropFirst(FileName.dayLength),
            // A full stop or a bracket of a text may follow.
            ending.starts(with: ".json".utf8), ending.dropFirst(5).first?.isWord != true
        else { return nil }
        return fileDay
    }

    /// The day in the last part or else the one before, for addresses at NASA.
    var pageDay: Day? {
        parts.suffix(2).reversed().lazy.compactMap { DateInName.first(in: $0) }.first
    }

    /// The path in a mirror if it is that of a file of the newest day, such as `latest.jpg`.
    var latestName: String? {
        [Layout.latestRecord, Layout.latestPicture].first { self == PathText($0) }
    }
}

extension DayRecord {
    /// The names of the files that the record names, also of those that are gone.
    var fileNames: [String] {
        (allFiles.map(\.path) + [page].compactMap(\.self)).map { Layout.split($0).name }
    }
}

extension Store {
    /// The day of the recorded file whose name a link has that leads to `path`, if nothing is there, in `/` itself.
    ///
    /// Nemo makes such a link of what is dragged from its list of recent files: to the `/` and a hash.
    func day(ofRecentLink name: FavoriteName, to path: PathText) throws(SystemError) -> Day? {
        guard path.parts.count == 1, let day = FileName.day(of: name.last),
            let record = try record(of: day),
            record.fileNames.contains(where: { $0.utf8.elementsEqual(name.last) }),
            try Directory(opening: "/").isCertainlyMissing(path.bytes)
        else { return nil }
        return day
    }

    /// The day that `name` shows, one of ``PathText/latestName``; `nil` if it is missing or a user's own file.
    func day(ofLatest name: String) throws(SystemError) -> Day? {
        guard name == Layout.latestRecord else { return try tree.latestPictureDay }
        let json = try ifValid(tree.root.read(name)).flatMap { try? JSON(parsing: $0) }
        return json.flatMap { DayRecord($0) }?.entry.day
    }
}
