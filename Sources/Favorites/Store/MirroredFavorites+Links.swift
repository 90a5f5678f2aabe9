internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// The paths to which links in `favorites/` lead.
extension MirroredFavorites {
    /// The path, relative to the root of the mirror, to which a link to `day` is to lead; `nil` if it is not known yet.
    ///
    /// It is the first of these paths:
    /// 1. an existing picture or video of the day;
    /// 2. the recorded path of the picture or video, because a lost file returns there;
    /// 3. the pin, which keeps the picture of the favorite;
    /// 4. the page that opens a video on the web, if the video is not downloaded;
    /// 5. the record of a day without a picture.
    func linkPath(to day: Day) throws(SystemError) -> String? {
        let record = try mirror.record(of: day)
        if let media = try existingMediaPath(in: record) ?? record?.mediaPath { return media }
        if let pin = pins[day] { return FavoriteStore.path(ofPin: pin) }
        if let page = record?.page, try tree.root.status(page)?.kind == .file {
            return page
        }
        // A day whose entry says that it has an image, or has no type, may still get a picture.
        guard let type = record?.entry.mediaType, type != "image", !type.isEmpty else { return nil }
        return Layout.recordPath(of: day)
    }

    /// The path for a link to a day that is not mirrored yet; the link is repaired after the download.
    static func placeholder(_ day: Day) -> String {
        "\(Layout.folder(Layout.pictures, of: day))/\(day)"
    }

    /// The path to which the link of `reference` is to lead instead, because it is certainly broken or temporary.
    ///
    /// - Returns: `nil` if the link stays. Even if its destination seems missing, it may exist for the user.
    func replacementPath(for reference: FavoriteReference) throws(SystemError) -> String? {
        let name = reference.name
        guard let text = reference.item.linkTarget.map(LinkText.init),
            text.isUnambiguous(in: tree.partsOfFolder(of: name))
        else { return nil }
        let destination = try LinkDestination(text, from: name, in: tree)
        guard try isWrong(destination, of: reference, text: text),
            let newPath = try linkPath(to: reference.day)
        else { return nil }
        // A link to any recorded file of the day stays, because a missing file returns to its path.
        let rightPaths = try recordedPaths(of: reference.day) + [newPath]
        let isRight = rightPaths.contains { destination == .inside(PathText($0)) }
        return isRight ? nil : newPath
    }

    /// Whether the link of `reference`, by its `text`, leads to a path that is certainly broken or temporary.
    private func isWrong(
        _ destination: LinkDestination, of reference: FavoriteReference, text: LinkText
    ) throws(SystemError) -> Bool {
        switch destination {
        case .inside(let path):
            if isTemporary(path) { return true }
            return try isMissing(path)
        case .outside(let path):
            if try isMoved(text, of: reference.day) { return true }
            return try mirror.day(ofRecentLink: reference.name, to: path) != nil
        }
    }

    private func recordedPaths(of day: Day) throws(SystemError) -> [String] {
        try mirror.record(of: day)?.allFiles.map(\.path) ?? []
    }

    /// Whether `path` in the mirror is `latest.jpg` or the like, which will be of another day tomorrow, or a pin.
    ///
    /// A link leads to a pin if the mirror had no picture when it made the link.
    private func isTemporary(_ path: PathText) -> Bool {
        path.latestFile != nil || path.bytes.starts(with: "\(FavoriteStore.folder)/".utf8)
    }

    /// Whether there certainly is nothing at `path` in the mirror.
    private func isMissing(_ path: PathText) throws(SystemError) -> Bool {
        do {
            return try tree.root.status(path.bytes) == nil
        } catch  where error.isNotDirectory {
            // ELOOP means that a part of the path is a link, behind which the file may exist.
            return error.code != ELOOP
        }
    }

    /// Whether the mirror made the link, and a person moved it into another folder, so that the number of `../` is wrong.
    private func isMoved(_ text: LinkText, of day: Day) throws(SystemError) -> Bool {
        let ownPaths = try recordedPaths(of: day) + [Self.placeholder(day)]
        return ownPaths.contains(where: text.leadsUp(to:))
    }
}
