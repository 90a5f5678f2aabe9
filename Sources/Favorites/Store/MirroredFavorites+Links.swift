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
    /// A link is replaced in these cases:
    /// - It leads to `latest.jpg` or the like, which will be the picture of another day tomorrow.
    /// - It leads to the pin of a favorite, because the mirror had no picture when it made the link.
    /// - It leads to a missing file of the mirror.
    /// - The mirror made it, and a person moved it into another folder, so that the number of `../` is wrong.
    /// - It leads to a missing file in `/`: the file manager Nemo makes such links of recent files.
    ///
    /// - Returns: `nil` if the link stays. Even if its destination seems missing, it may exist for the user.
    func replacementPath(for reference: FavoriteReference) throws(SystemError) -> String? {
        let (item, day) = (reference.item, reference.day)
        let folder = PathText(tree.root.path).parts + PathText(item.name.folderPath).parts
        guard let text = item.linkTarget, text.isUnambiguous(in: folder) else { return nil }
        let destination = try LinkDestination(text, from: item.name, in: tree)
        if case .inside(let path) = destination, try !isTemporaryOrMissing(path) { return nil }
        // The record is read only now, because most links lead to a file of the mirror.
        let recordedPaths = try mirror.record(of: day)?.allFiles.map(\.path) ?? []
        if case .outside(let path) = destination {
            let isOfRecentFile = try mirror.day(ofRecentLink: item.name, to: path) != nil
            // If the mirror made the link, its text is `../`, once or several times, and then a path of the mirror.
            let ownPaths = recordedPaths + [Self.placeholder(day)]
            let isMoved = ownPaths.contains(where: text.leadsUp(to:))
            guard isOfRecentFile || isMoved else { return nil }
        }
        guard let newPath = try linkPath(to: day) else { return nil }
        // A link to any recorded file of the day stays, because a missing file returns to its path.
        let rightPaths = recordedPaths + [newPath]
        return rightPaths.contains { destination == .inside(PathText($0)) } ? nil : newPath
    }

    /// Whether `path` in the mirror is `latest.*` or a pin, or certainly does not exist.
    private func isTemporaryOrMissing(_ path: PathText) throws(SystemError) -> Bool {
        let isPin = path.bytes.starts(with: "\(FavoriteStore.folder)/".utf8)
        if isPin || path.latestFile != nil { return true }
        do {
            return try tree.root.status(path.bytes) == nil
        } catch  where error.isNotDirectory {
            // ELOOP means that a part of the path is a link, behind which the file may exist.
            return error.code != ELOOP
        }
    }
}

// The text of a link, as readlink(2) returns it.
extension [UInt8] {
    /// Whether the text alone says where a link in `folder` leads: `..` stands only at the start, or after a part of `folder`.
    ///
    /// In `x/../y`, `x` may itself be a link. Then the kernel looks for `y` beside the destination of that link. No part of
    /// `folder` is a link: a shell makes the text `/mirror/favorites/../y` of `$PWD/../y`.
    fileprivate func isUnambiguous(in folder: [ArraySlice<UInt8>]) -> Bool {
        var parts = split(separator: UInt8(ascii: "/"))[...]
        if first == UInt8(ascii: "/") {
            let shared = zip(parts, folder).prefix { $0.elementsEqual($1) }.count
            parts = parts.dropFirst(shared)
        }
        let partsBelow = parts.drop { $0.elementsEqual("..".utf8) }
        return !partsBelow.contains { $0.elementsEqual("..".utf8) }
    }

    /// Whether the text is `../`, once or several times, and then `path`.
    fileprivate func leadsUp(to path: String) -> Bool {
        let up = Array("../".utf8)
        var below = self[...]
        while below.starts(with: up) { below = below.dropFirst(up.count) }
        return below.count < count && below.elementsEqual(path.utf8)
    }
}
