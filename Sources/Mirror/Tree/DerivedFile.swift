internal import Glibc
internal import JSON
package import Platform

/// A file or directory in the root that follows from the newest days, such as `latest.json`.
///
/// The mirror makes it again when it is removed. A user's own file of the same name is never replaced.
package enum DerivedFile: String, CaseIterable, Sendable {
    /// A copy of the record of the newest day with a picture or a video.
    case latestRecord = "latest.json"
    /// The newest picture that is a JPEG or can be converted to one.
    case latestPicture = "latest-picture.jpg"
    /// The newest days for feed readers, in the format of RFC 4287.
    case atomFeed = "feed.xml"
    /// The newest days for feed readers, as JSON Feed 1.1.
    case jsonFeed = "feed.json"
    /// A directory with links to pictures that fit a screen.
    case wallpapers

    /// The element near the beginning of ``atomFeed``.
    package static let atomMark = "<generator>apod-mirror</generator>"
    /// The key near the beginning of ``jsonFeed``; JSON Feed reserves such keys for extensions.
    package static let jsonMark = "_apod_mirror"

    /// The sentence that what is at `path` is in the way of a file or a link of the mirror.
    package static func obstruction(by path: String) -> String {
        "\(path) was not written by the mirror and is not overwritten; move it away, and the mirror writes its own"
    }

    /// The beginning of the name of a favorite's link in ``wallpapers``.
    package static let favoriteMark = "favorite "

    /// The length of the beginning of a file that identifies it.
    private static let startLength = 4096

    /// Whether the mirror wrote the file of this name, which exists.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are exhausted.
    package func isOwn(in root: Directory) throws(SystemError) -> Bool {
        switch self {
        case .latestRecord:
            let bytes = try ifReadable(root.read(rawValue, limit: 1 << 20))
            return bytes.flatMap { try? JSON(parsing: $0) }.flatMap { DayRecord($0) } != nil
        case .latestPicture:
            if root.target(of: rawValue)?.hasPrefix("\(Layout.pictures)/") == true { return true }
            return try starts(in: root, with: "apod-mirror: ")
        case .atomFeed: return try starts(in: root, with: Self.atomMark)
        case .wallpapers: return try Self.isOwnFolder(in: root)
        case .jsonFeed: return try starts(in: root, with: "\"\(Self.jsonMark)\"")
        }
    }

    /// Whether `name` in the directory ``wallpapers`` is a link that the mirror made: it has the name of the
    /// picture that it leads to, after ``favoriteMark`` for a favorite.
    package static func isWallpaper(_ name: String, in folder: Directory) -> Bool {
        let isFavorite = name.hasPrefix(favoriteMark)
        let picture = isFavorite ? String(name.dropFirst(favoriteMark.count)) : name
        guard let day = FileName.day(of: picture) else { return false }
        return folder.target(of: name) == "../\(Layout.folder(Layout.pictures, of: day))/\(picture)"
    }

    /// Whether the directory ``wallpapers`` has a link of the mirror, or nothing to be seen.
    private static func isOwnFolder(in root: Directory) throws(SystemError) -> Bool {
        let folder = try ifReadable(root.folder(wallpapers.rawValue))
        guard let folder, let all = try ifReadable(folder.textNames()) else { return false }
        let names = all.filter { !$0.hasPrefix(".") }
        return names.isEmpty || names.contains { isWallpaper($0, in: folder) }
    }

    /// Whether the beginning of the file contains `mark`.
    private func starts(in root: Directory, with mark: String) throws(SystemError) -> Bool {
        let start = try ifReadable(
            root.openFile(rawValue, O_RDONLY).readStart(
                limit: Self.startLength, path: rawValue))
        return start?.firstRange(of: mark.utf8) != nil
    }
}
