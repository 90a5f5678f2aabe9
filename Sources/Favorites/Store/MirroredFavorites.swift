internal import APOD
internal import Mirror
internal import Platform

/// What the mirror has of the days of favorites: their titles and files, and the paths to which links lead.
///
/// The daemon asks it which pictures and links to repair, and the commands on favorites what to show. It only reads. Functions
/// throw if a file cannot be examined, because the file may be there.
struct MirroredFavorites: Sendable {
    let mirror: Store
    /// The name of the pin of each favorite that has one: the file in ``FavoriteStore/folder`` that keeps its picture.
    let pins: [Day: String]

    var tree: Tree { mirror.tree }

    /// `favorite` with the title that its day has now, which NASA may have corrected since the favorite was recorded.
    func withTitle(_ favorite: Favorite) -> Favorite {
        // Without a record that can be read, the recorded title is the last one that is known.
        guard let record = try? mirror.record(of: favorite.day) else { return favorite }
        var favorite = favorite
        favorite.title = record.entry.title
        return favorite
    }

    /// The path of the recorded picture, or else of the video; `nil` if no such file exists.
    func existingMediaPath(in record: DayRecord?) throws(SystemError) -> String? {
        for file in record?.allFiles ?? [] where try tree.root.status(file.path)?.kind == .file {
            return file.path
        }
        return nil
    }

    /// Whether the main file of `record` is missing or not recorded: the picture, or the video of a day without a picture.
    func lacksMainFile(of record: DayRecord) throws(SystemError) -> Bool {
        guard let file = record.allFiles.first else { return true }
        return try !tree.hasFile(file)
    }

    /// The path of a file of `record` that a person has changed, as its size shows; `nil` if there is none.
    func editedPath(in record: DayRecord) throws(SystemError) -> String? {
        for file in record.files {
            if let size = try tree.fileSize(file.path), size != file.bytes { return file.path }
        }
        return nil
    }

    // MARK: Whether a favorite needs a repair

    /// Whether the mirror has all files of a favorite: a picture, and perhaps a video and a page that opens it.
    enum PictureState {
        case complete
        /// All files are there, but the pin keeps another file than the record of the day names.
        case completeWithOutdatedPin(DayRecord)
        /// The record names no picture, or a file or the page is missing or has another size.
        case incomplete(DayRecord)
        /// The day is not mirrored yet, or its record is damaged.
        case withoutRecord
    }

    func pictureState(of day: Day) throws(SystemError) -> PictureState {
        guard let record = try mirror.record(of: day) else { return .withoutRecord }
        guard try hasAllMedia(of: record), !lacksPage(of: record) else {
            return .incomplete(record)
        }
        guard let pin = pins[day], isOutdated(pin, for: record) else { return .complete }
        return .completeWithOutdatedPin(record)
    }

    /// Whether `record` names a picture, and all its pictures and videos are there.
    private func hasAllMedia(of record: DayRecord) throws(SystemError) -> Bool {
        guard let picture = record.picture, picture.removed == nil else { return false }
        for file in record.files where try !tree.hasFile(file) { return false }
        return true
    }

    /// Whether `record` names a page that certainly is missing.
    private func lacksPage(of record: DayRecord) -> Bool {
        guard let page = record.pageFile else { return false }
        return tree.root.isCertainlyMissing(page.path)
    }

    /// Whether `pin` certainly keeps another file than `record` names, such as a picture that NASA has replaced.
    ///
    /// A pin of the same picture may be another inode with a later time, because it is a copy on a disk that sets no times.
    private func isOutdated(_ pin: String, for record: DayRecord) -> Bool {
        guard let file = record.file(ofPin: pin) else { return true }
        guard let pinned = try? tree.root.status(FavoriteStore.path(ofPin: pin)),
            let original = try? tree.root.status(file.path)
        else { return false }
        if pinned.identity == original.identity { return false }
        return pinned.size != original.size || pinned.modified < original.modified
    }
}

extension DayRecord {
    /// The picture or video that may be pinned as `pin`: the one with its extension; `nil` if the record has none.
    ///
    /// A day has at most one of each, and no extension is that of both.
    func file(ofPin pin: String) -> RecordedFile? {
        files.first { $0.path.splitAtLastDot?.ending == pin.splitAtLastDot?.ending }
    }
}
