internal import APOD
internal import MediaFormat
internal import Platform

/// Chooses the path of a new picture, video or redirect page, so that no file of a person has to be replaced.
extension Store {
    /// The path at which `file`, a new picture or video of `entry`, is published without replacing a person's file.
    ///
    /// It keeps the name of the file in the record `earlier`, except for the extension. If a person's file has the name, the
    /// new name gets a number, unless the person's file has the contents of `file`. A path that the picture had before is free.
    func freePath(
        of entry: Entry, _ type: MediaType, for file: RecordedFile, after earlier: DayRecord?
    ) throws(SystemError) -> String {
        let replaced = type.isPicture ? earlier?.picture?.path : earlier?.video?.path
        let path = Layout.mediaPath(
            of: entry.day, title: entry.title, fileExtension: type.fileExtension,
            replacing: replaced)
        guard path != replaced else { return path }
        return try freePath(path) { candidate throws(SystemError) in
            if try tree.root.hasContents(of: file, at: candidate) { return true }
            return try isEarlierName(candidate, of: entry.day)
        }
    }

    /// The first path of `x.jpg`, `x 2.jpg`, `x 3.jpg` … at which there is nothing, or a file that `isOwn` accepts.
    ///
    /// `path` is the path without a number, such as `pictures/2026/2026-11/2026-11-20 M 31.jpg`.
    func freePath(
        _ path: String, orWhere isOwn: (String) throws(SystemError) -> Bool
    ) throws(SystemError) -> String {
        guard let (stem, ending) = path.splitAtLastDot else { return path }
        let (folder, name) = Layout.split(String(stem))
        func isTaken(_ candidate: String) throws(SystemError) -> Bool {
            guard try tree.root.status(candidate) != nil else { return false }
            // mutation test: free-name (see Tests/Mutants)
            return try !isOwn(candidate)
        }
        var free = path
        var number = 1
        while try isTaken(free) {
            number += 1
            free = "\(folder)/\(FileName.numbered(name, number))\(ending)"
        }
        return free
    }
}
