internal import APOD
internal import Mirror
internal import Platform

/// What the mirror has of the days of favorites: their titles and files, and the paths to which links lead.
///
/// Both the daemon and the commands on favorites ask it. It only reads.
struct MirroredFavorites: Sendable {
    let mirror: Store
    /// The name of the pin of each favorite that has one: the file in ``FavoriteStore/folder`` that keeps its picture.
    let pins: [Day: String]

    var tree: Tree { mirror.tree }

    /// `favorite` with the title of its day, if the mirror has the day.
    func withTitle(_ favorite: Favorite) -> Favorite {
        guard favorite.title == nil else { return favorite }
        var favorite = favorite
        // After an error, the favorite has no title until the next call.
        favorite.title = (try? mirror.record(of: favorite.day))??.entry.title
        return favorite
    }

    // MARK: Files

    /// Which files of a favorite are in the mirror.
    enum Files {
        /// All that the record names: a picture, and perhaps a video and a page.
        case all
        /// All, but the pin is of another file, such as a picture that NASA has replaced.
        case allButPinIsOutdated(DayRecord)
        /// Some are missing, or could not be examined.
        case notAll
    }

    func files(of day: Day) -> Files {
        guard let record = try? mirror.record(of: day), hasAllFiles(record) else { return .notAll }
        guard let pin = pins[day], isOfOtherFile(pin, than: record) else { return .all }
        return .allButPinIsOutdated(record)
    }

    /// Whether the media of `record` are there, and also its page, which counts as there if it cannot be examined.
    private func hasAllFiles(_ record: DayRecord) -> Bool {
        guard let picture = record.picture, picture.removed == nil,
            record.files.allSatisfy({ (try? tree.hasFile($0)) ?? false })
        else { return false }
        guard let page = record.pageFile else { return true }
        return !tree.root.isCertainlyMissing(page.path)
    }

    /// Whether `pin` is of another file than `record` names: another inode, and in addition another size or an earlier time.
    ///
    /// A pin of the same picture may have another inode and a later time, because it is a copy on a disk that sets no times.
    private func isOfOtherFile(_ pin: String, than record: DayRecord) -> Bool {
        guard let file = record.file(ofPin: pin) else { return true }
        guard let pinned = try? tree.root.status("\(FavoriteStore.folder)/\(pin)"),
            let original = try? tree.root.status(file.path)
        else { return false }
        return pinned.identity != original.identity
            && (pinned.size != original.size || pinned.modified < original.modified)
    }

    /// The path of the recorded picture, or else of the video; `nil` if no such file exists.
    func mediaPath(in record: DayRecord?) throws(SystemError) -> String? {
        for file in record?.allFiles ?? [] where try tree.root.status(file.path)?.kind == .file {
            return file.path
        }
        return nil
    }

    /// Whether the picture of `record`, or the video of a day without a picture, is missing, as after `--keep` removed it.
    ///
    /// Retention may have removed it, or the record may name none, because the download failed or NASA has none. Then the
    /// delays between retries decide when it is requested again.
    ///
    /// - Throws: If the file cannot be examined, because it may be there.
    func lacksMedia(_ record: DayRecord) throws(SystemError) -> Bool {
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
}

extension DayRecord {
    /// The file of the type that `pin` has, such as the picture for `2026-11-20.jpg`; `nil` if the record has none.
    func file(ofPin pin: String) -> RecordedFile? {
        files.first { $0.path.splitAtLastDot?.ending == pin.splitAtLastDot?.ending }
    }
}
