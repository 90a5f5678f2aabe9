internal import APOD
internal import Mirror
internal import Platform

/// The files in `v1/` whose names are those of days: `2026-11-20.json`, and `2026-11-20.jpg`, a rendition of the picture.
///
/// Some may be a user's: see ``ViewFiles``.
struct V1Files {
    private(set) var documents: [Day: TreeSnapshot.FileStamp] = [:]
    private(set) var copies: [Day: TreeSnapshot.FileStamp] = [:]

    static let folder = "v1"
    /// The document of the newest day.
    static let newest = "\(folder)/apod.json"

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

    static func document(of day: Day) -> String { "\(folder)/\(day).json" }
    static func copy(of day: Day) -> String { "\(folder)/\(day).jpg" }

    /// The paths of the files of all days but those that stay.
    func paths(exceptWhere stays: (Day) -> Bool) -> [String] {
        let others =
            (documents.keys.map { ($0, Self.document(of: $0)) }
            + copies.keys.map { ($0, Self.copy(of: $0)) }).filter { !stays($0.0) }
        return others.map(\.1).sorted()
    }
}
