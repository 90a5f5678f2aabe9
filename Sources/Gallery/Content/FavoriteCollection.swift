internal import APOD
internal import Platform

/// A folder inside `favorites/`, as the gallery shows it.
struct FavoriteCollection: Sendable {
    /// Its path in `favorites/`.
    let name: String
    /// Newest first.
    let days: [Day]

    /// As many have pages of their own.
    private static let most = 200
    /// A day among the first ones stands for all.
    static let covers = 8

    /// The collections of `favorites` by name; folders without any of these are none.
    static func all(_ folders: [String: Set<Day>], of favorites: Set<Day>) -> [FavoriteCollection] {
        let all = folders.map { name, days in
            FavoriteCollection(name: name, days: days.intersection(favorites).sorted(by: >))
        }
        return Array(all.filter { !$0.days.isEmpty }.sorted { $0.name < $1.name }.prefix(most))
    }

    /// The name for a person.
    var title: String { name.split(separator: "/").joined(separator: " / ").excerpt(120) }

    /// What the names of its pages begin with: readable where the name is in Latin letters, and never
    /// that of another collection.
    var stem: String {
        let words = name.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        var hash = SHA256()
        hash.update(Array(name.utf8))
        return
            (["collection"] + [words.joined(separator: "-").prefix(40)] + [
                hash.hexDigest().prefix(8)
            ])
            .filter { !$0.isEmpty }.joined(separator: "-")
    }
}
