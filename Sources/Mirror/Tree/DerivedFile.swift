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

    /// The length of the beginning of a file that identifies it.
    private static let startLength = 4096

    /// Whether the mirror wrote the file of this name, which exists.
    package func isOwn(in root: Directory) -> Bool {
        switch self {
        case .latestRecord:
            let bytes = (try? root.read(rawValue, limit: 1 << 20)) ?? nil
            return bytes.flatMap { try? JSON(parsing: $0) }.flatMap { DayRecord($0) } != nil
        case .latestPicture:
            return root.target(of: rawValue)?.hasPrefix("\(Layout.pictures)/") == true
                || starts(in: root, with: "apod-mirror: ")
        case .atomFeed: return starts(in: root, with: Self.atomMark)
        case .wallpapers: return Self.isOwnFolder(in: root)
        case .jsonFeed: return starts(in: root, with: "\"\(Self.jsonMark)\"")
        }
    }

    /// Whether `name` in the directory ``wallpapers`` is a link that the mirror made.
    package static func isWallpaper(_ name: String, in folder: Directory) -> Bool {
        folder.target(of: name)?.hasPrefix("../\(Layout.pictures)/") == true
    }

    /// Whether the directory ``wallpapers`` has a link of the mirror, or nothing to be seen.
    private static func isOwnFolder(in root: Directory) -> Bool {
        guard let folder = (try? root.folder(wallpapers.rawValue)) ?? nil,
            let names = try? folder.textNames().filter({ !$0.hasPrefix(".") })
        else { return false }
        return names.isEmpty || names.contains { isWallpaper($0, in: folder) }
    }

    /// Whether the beginning of the file contains `mark`.
    private func starts(in root: Directory, with mark: String) -> Bool {
        guard let file = try? root.openFile(rawValue, O_RDONLY),
            let start = try? file.readStart(limit: Self.startLength, path: rawValue)
        else { return false }
        return start.firstRange(of: mark.utf8) != nil
    }
}
