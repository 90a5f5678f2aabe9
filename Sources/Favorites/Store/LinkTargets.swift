internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// What the mirror has of a day: the file to which a link in `favorites/` leads, and whether its files are there.
struct LinkTargets: Sendable {
    let mirror: Store
    /// The names of the pinned pictures of favorites, in ``FavoriteStore/folder``.
    let pins: [Day: String]

    private var tree: Tree { mirror.tree }

    // MARK: Links

    /// The path, relative to the root, to which a link to `day` leads; `nil` if it is not known yet.
    ///
    /// It is the first of these:
    /// 1. the picture or video that exists;
    /// 2. the recorded path of the picture or video, because a missing file returns there;
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

    /// The path of a link to a day that is not mirrored yet; the link is repaired once the day is.
    static func placeholder(_ day: Day) -> String {
        "\(Layout.folder(Layout.pictures, of: day))/\(day)"
    }

    /// The path to which a new link is to lead in place of a link that is certainly broken or temporary.
    ///
    /// These links are replaced:
    /// - links to `latest.jpg` and the like, which shows another day tomorrow;
    /// - links to the pin of a favorite, which the mirror made while it had no picture;
    /// - links to missing files of the mirror;
    /// - links that the mirror made, and that a person moved to another depth;
    /// - links to nothing in `/`, as Nemo makes them of recent files.
    ///
    /// - Returns: `nil` for any other link: its destination may exist for the user, though this process cannot see it.
    func path(repairing reference: FavoriteReference) throws(SystemError) -> String? {
        let (item, day) = (reference.item, reference.day)
        guard let text = item.linkTarget, text.hasParentsOnlyFirst else { return nil }
        let destination = LinkDestination(text, from: item.name, in: PathText(tree.root.path))
        if case .inside(let path) = destination, try !isTemporaryOrMissing(path) { return nil }
        // The record is read only now, because most links lead to a file of the mirror.
        let recordedPaths = try mirror.record(of: day)?.allFiles.map(\.path) ?? []
        if case .outside(let path) = destination,
            try mirror.day(ofRecentLink: item.name, to: path) == nil
        {
            // A link that the mirror made has `../` for each folder of its name. In a folder of another depth, its
            // text names the same path of the mirror, but below a wrong folder.
            let madeTargets = recordedPaths + [Self.placeholder(day)]
            guard madeTargets.contains(where: text.leadsUp(to:)) else { return nil }
        }
        guard let newPath = try self.path(of: day) else { return nil }
        // A link to a recorded file stays, also to the video of a day that has a picture: a missing file returns there.
        let rightPaths = recordedPaths + [newPath]
        return rightPaths.contains { destination == .inside(PathText($0)) } ? nil : newPath
    }

    /// Whether `path` in the tree is `latest.*` or a pin, or certainly does not exist.
    private func isTemporaryOrMissing(_ path: PathText) throws(SystemError) -> Bool {
        let isPin = path.bytes.starts(with: "\(FavoriteStore.folder)/".utf8)
        if isPin || path.latestName != nil { return true }
        do {
            return try tree.root.status(path.bytes) == nil
        } catch  where error.isNotDirectory {
            // What lies behind another link may exist.
            return error.code != ELOOP
        }
    }

    // MARK: Titles

    /// The favorite with the title of the day, if the mirror has it.
    func withTitle(_ favorite: Favorite) -> Favorite {
        guard favorite.title == nil else { return favorite }
        var favorite = favorite
        // A record without a title is valid, too; the next call reads the title again.
        favorite.title = (try? mirror.record(of: favorite.day))??.entry.title
        return favorite
    }

    // MARK: Files

    /// What is there of the files of a favorite.
    enum Files {
        /// All that the record names: a picture, and perhaps a video and a page.
        case all
        /// All, and a pin of another file, such as a picture that NASA has replaced.
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

    /// Whether `pin` is not the file of its type that `record` names, as their inodes and sizes show, or their times.
    ///
    /// A pin is never older than its picture. It is newer where it is a copy, and the disk sets no times.
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
}

extension DayRecord {
    /// The file of the type that `pin` has, such as the picture for `2026-11-20.jpg`; `nil` if the record has none.
    func file(ofPin pin: String) -> RecordedFile? {
        files.first { $0.path.splitAtLastDot?.ending == pin.splitAtLastDot?.ending }
    }
}

/// The text of a link, its target.
extension [UInt8] {
    /// Whether `..` stands at the beginning alone, if at all.
    ///
    /// After the name of a link, the kernel would follow `..` from another folder than the text says.
    fileprivate var hasParentsOnlyFirst: Bool {
        let parts = split(separator: UInt8(ascii: "/")).drop { $0.elementsEqual("..".utf8) }
        return !parts.contains { $0.elementsEqual("..".utf8) }
    }

    /// Whether the text is `../`, at least once, and then `path`.
    fileprivate func leadsUp(to path: String) -> Bool {
        let up = Array("../".utf8)
        var below = self[...]
        while below.starts(with: up) { below = below.dropFirst(up.count) }
        return below.count < count && below.elementsEqual(path.utf8)
    }
}
