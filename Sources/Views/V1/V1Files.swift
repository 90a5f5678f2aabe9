internal import APOD
internal import Mirror
internal import Platform

/// The documents in `v1/` whose names are those of days, such as `2026-11-20.json`.
///
/// Some may be a user's: see ``ViewFiles``.
struct V1Files {
    private(set) var documents: [Day: TreeSnapshot.FileStamp] = [:]

    static let folder = "v1"
    /// The document of the newest day.
    static let newest = "\(folder)/apod.json"

    /// Lists the directory; an item that cannot be listed counts as missing, and is not replaced.
    init(in root: Directory) throws(SystemError) {
        let items = try ifReadable(root.items(in: Self.folder) { _, _ in }) ?? []
        for item in items {
            guard let name = item.text, let day = FileName.day(of: name),
                Self.document(of: day) == "\(Self.folder)/\(name)"
            else { continue }
            documents[day] = TreeSnapshot.FileStamp(item.status)
        }
    }

    static func document(of day: Day) -> String { "\(folder)/\(day).json" }

    /// The paths of the documents of all days but those that stay.
    func paths(exceptWhere stays: (Day) -> Bool) -> [String] {
        documents.keys.filter { !stays($0) }.sorted().map(Self.document)
    }
}
