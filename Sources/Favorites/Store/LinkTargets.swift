internal import APOD
internal import Mirror
internal import Platform

/// Chooses the file of the mirror to which a new or repaired link in `favorites/` leads.
struct LinkTargets: Sendable {
    let mirror: Store
    /// The names of the pinned pictures of favorites, in ``FavoriteStore/folder``.
    let pins: [Day: String]

    private var tree: Tree { mirror.tree }

    /// The favorite with the title of the day, if the mirror has it.
    func withTitle(_ favorite: Favorite) -> Favorite {
        guard favorite.title == nil else { return favorite }
        var favorite = favorite
        // A record without a title is valid, too; the next call reads the title again.
        favorite.title = (try? mirror.record(of: favorite.day))??.entry.title
        return favorite
    }

    /// What is there of the files of a favorite.
    enum Files {
        /// All that the record names, a picture among them, and its page.
        case all
        /// The same, and a pin of another file, as of a picture that NASA has replaced.
        case allAndOtherPin(DayRecord)
        /// Not all, or that is not certain.
        case notAll
    }

    func files(of day: Day) -> Files {
        guard let record = try? mirror.record(of: day), let picture = record.picture,
            picture.removed == nil,
            record.files.allSatisfy({ (try? tree.hasFile($0)) ?? false }),
            record.pageFile.map({ !tree.root.isCertainlyMissing($0.path) }) ?? true
        else { return .notAll }
        guard let pin = pins[day], isOther(pin, than: record) else { return .all }
        return .allAndOtherPin(record)
    }

    /// Whether the pin of this name is not the file of its type that `record` names, as their inodes and sizes show, or
    /// their times: a pin is newer than its picture where it is a copy and the disk sets no times, and never older.
    private func isOther(_ pin: String, than record: DayRecord) -> Bool {
        guard let file = record.file(ofPin: pin) else { return true }
        guard let pinned = try? tree.root.status("\(FavoriteStore.folder)/\(pin)"),
            let original = try? tree.root.status(file.path)
        else { return false }
        return pinned.identity != original.identity
            && (pinned.size != original.size || pinned.modified < original.modified)
    }

    /// The path of the picture, else of the video; `nil` if no such file exists.
    func mediaPath(in record: DayRecord?) throws(SystemError) -> String? {
        for file in record?.allFiles ?? [] where try tree.root.status(file.path)?.kind == .file {
            return file.path
        }
        return nil
    }

    /// The path, relative to the root, to which a link to `day` leads; `nil` if it is not known yet.
    ///
    /// It is the first of these:
    /// 1. the picture or video that exists;
    /// 2. the recorded path of the picture or video: a missing file returns there;
    /// 3. the pinned picture, which exists if it is listed in ``pins``;
    /// 4. the redirect page of a video that is not downloaded;
    /// 5. the record of a day without a picture.
    func path(of day: Day) throws(SystemError) -> String? {
        let record = try mirror.record(of: day)
        if let media = try mediaPath(in: record) ?? record?.mediaPath { return media }
        if let pin = pins[day] { return "\(FavoriteStore.folder)/\(pin)" }
        if let page = record?.page, try tree.root.status(page)?.kind == .file {
            return page
        }
        // The picture of an image, or of an entry without a type so far, is still awaited.
        guard let type = record?.entry.mediaType, type != "image", !type.isEmpty else { return nil }
        return Layout.recordPath(of: day)
    }

    /// Whether the picture of `record`, or the video of a day without one, is certainly not there, also by retention.
    ///
    /// - Throws: An error of examining the file, which may be there.
    func lacksFile(_ record: DayRecord) throws(SystemError) -> Bool {
        guard let file = record.allFiles.first else { return false }
        return try !tree.hasFile(file)
    }

    /// The path of a file of `record` in whose place is another one, of another size; `nil` if there is none.
    func editedPath(in record: DayRecord) throws(SystemError) -> String? {
        for file in record.files {
            if let size = try tree.fileSize(file.path), size != file.bytes { return file.path }
        }
        return nil
    }

    /// The path of a link to a day that is not mirrored yet; the link is repaired once the day is.
    static func placeholder(_ day: Day) -> String {
        "\(Layout.folder(Layout.pictures, of: day))/\(day)"
    }
}

extension DayRecord {
    /// The file of which a pin of this name is; `nil` if none has the type of the pin.
    func file(ofPin name: String) -> RecordedFile? {
        files.first { $0.path.splitAtLastDot?.ending == name.splitAtLastDot?.ending }
    }
}
