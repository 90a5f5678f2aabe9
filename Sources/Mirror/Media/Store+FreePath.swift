internal import APOD
internal import MediaFormat
internal import Platform

/// Under which name a new file of a day is published: no file of a user is replaced.
///
/// Only a record makes a file in `pictures/` the mirror's, the published one of its day, or the one that is staged in
/// `incoming/`; any other file is a user's, whatever its name and its time.
extension Store {
    /// The path for a new file of `entry`, whose contents are those of `file`: that of the recorded file with the new
    /// extension, else a new path, with a number where another item has the name.
    ///
    /// A file that has the name and these contents is no obstacle: it becomes that of the day.
    func freePath(
        of entry: Entry, _ type: MediaType, for file: RecordedFile, after earlier: DayRecord?
    ) throws(SystemError) -> String {
        let replaced = type.isPicture ? earlier?.picture?.path : earlier?.video?.path
        let path = Layout.mediaPath(
            of: entry.day, title: entry.title, type.fileExtension, replacing: replaced)
        guard path != replaced else { return path }
        return try freePath(path) { candidate throws(SystemError) in
            try tree.root.hasContents(of: file, at: candidate) == true
        }
    }

    /// `path`, or the first of its numbered variants at which there is nothing, or what `isOwn` accepts.
    func freePath(
        _ path: String, orWhere isOwn: (String) throws(SystemError) -> Bool
    ) throws(SystemError) -> String {
        guard let (stem, ending) = path.splitAtLastDot else { return path }
        let (folder, name) = Layout.split(String(stem))
        func isTaken(_ candidate: String) throws(SystemError) -> Bool {
            guard try tree.root.status(candidate) != nil else { return false }
            // Any other item is a user's, and is not overwritten.
            // mutation test: free-name
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
