internal import Glibc
internal import JSON
package import Platform

/// A file in the root that follows from the newest days, such as `latest.json`.
///
/// The mirror makes it again when it is removed. A user's own file of the same name is never replaced.
package enum DerivedFile: String, CaseIterable, Sendable {
    /// A copy of the record of the newest day with a picture or a video.
    case latestRecord = "latest.json"
    /// The newest picture that is a JPEG or can be converted to one.
    case latestPicture = "latest-picture.jpg"

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
        }
    }

    /// Whether the beginning of the file contains `mark`.
    private func starts(in root: Directory, with mark: String) -> Bool {
        guard let file = try? root.openFile(rawValue, O_RDONLY),
            let start = try? file.readStart(limit: Self.startLength, path: rawValue)
        else { return false }
        return start.firstRange(of: mark.utf8) != nil
    }
}
