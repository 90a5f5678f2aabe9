internal import APOD
internal import Platform

/// A directory in `favorites/` as the gallery shows it.
struct FavoriteCollection: Sendable {
    /// The path in `favorites/`.
    let name: String
    /// Newest first.
    let days: [Day]

    /// The newest days, one of which represents the collection: few, because their records are read.
    var coverCandidates: [Day] { Array(days.prefix(8)) }

    /// The collections among `folders` that contain any of `favorites`, sorted by name.
    static func all(_ folders: [String: Set<Day>], of favorites: Set<Day>) -> [FavoriteCollection] {
        let all = folders.map { name, days in
            FavoriteCollection(name: name, days: days.intersection(favorites).sorted(by: >))
        }
        return all.filter { !$0.days.isEmpty }.sorted { $0.name < $1.name }
    }

    var title: String { name.split(separator: "/").joined(separator: " / ").excerpt(120) }

    /// The unique beginning of the names of its pages: `collection-deep-sky-0a1b2c3d`, for example.
    var stem: String {
        let words = name.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        return [
            "collection", String(words.joined(separator: "-").prefix(40)),
            SHA256.digits(8, of: Array(name.utf8)),
        ].filter { !$0.isEmpty }.joined(separator: "-")
    }
}
