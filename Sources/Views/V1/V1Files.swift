internal import APOD
internal import Mirror
internal import Platform
internal import Thumbnails

/// The files of days in `v1/`: `2026-11-20.json`, and `2026-11-20.jpg`, a rendition of the picture.
///
/// They are found by name; whether the mirror wrote them is for ``document(_:)`` and ``isOwnCopy(_:in:)``.
struct V1Files {
    private(set) var documents: [Day: TreeSnapshot.FileStamp] = [:]
    /// The files in the place of renditions.
    private(set) var copies: [Day: TreeSnapshot.FileStamp] = [:]

    static let folder = "v1"
    /// The name of the document of the newest day, without its extension.
    static let newest = "apod"
    /// The maximum size of a document that the mirror writes, in bytes.
    static let largestDocument = 1 << 20

    /// Lists the directory; an item that cannot be listed counts as missing, and is not replaced.
    init(in root: Directory) throws(SystemError) {
        let items = try ifReadable(root.items(in: Self.folder) { _, _ in }) ?? []
        for item in items {
            guard let name = item.text, let day = FileName.day(of: name) else { continue }
            switch name.dropFirst(FileName.dayLength) {
            case ".json": documents[day] = TreeSnapshot.FileStamp(item.status)
            case ".jpg": copies[day] = TreeSnapshot.FileStamp(item.status)
            default: break
            }
        }
    }

    /// The document `name`, without its extension.
    static func document(_ name: String) -> OwnedPath {
        let path = "\(folder)/\(name).json"
        return OwnedPath(
            path,
            hasMarks: { root throws(SystemError) in
                let bytes = try ifReadable(root.read(path, limit: largestDocument))
                return bytes?.contains(bytes: V1Entry.mark) == true
            })
    }

    static func copyPath(of day: Day) -> String { "\(folder)/\(day).jpg" }

    static func isOwnCopy(_ path: String, in root: Directory) -> Bool {
        Thumbnails.originalSHA256(storedIn: path, in: root) != nil
    }

    /// Whether the directory has a file of the mirror, or none, as before the first file is written; hidden ones do not count.
    static func isOwnFolder(in root: Directory) throws(SystemError) -> Bool {
        guard let names = try ifReadable(root.folder(folder)?.textNames()) else { return false }
        if try document(newest).isOwn(root) { return true }
        let files = try V1Files(in: root)
        for day in files.documents.keys where try document("\(day)").isOwn(root) { return true }
        for day in files.copies.keys where isOwnCopy(copyPath(of: day), in: root) {
            return true
        }
        return names.allSatisfy { $0.hasPrefix(".") }
    }
}
