internal import APOD
internal import FoundationEssentials
package import JSON
internal import Mirror

/// All favorites and unrecognized items: the output of `favorites list`.
package struct FavoriteList: Sendable {
    package enum State: String, Hashable, Sendable {
        case kept
        /// Not recorded yet.
        case new
        /// Missing in `favorites/`, and not removed.
        case held
        /// Not mirrored yet.
        case wanted
    }

    package struct Entry: Sendable {
        package let favorite: Favorite
        package let state: State
        /// The seconds until it is removed if its link does not return; `nil` if it is not removed by itself.
        package var removedIn: Double?

        fileprivate var json: JSON {
            [
                "date": .string("\(favorite.day)"),
                "title": .string(favorite.title ?? ""),
                "names": .array(favorite.names.map { .string($0.text) }),
                "names_bytes": Favorite.bytes(of: favorite.names),
                "via": .string(favorite.kind.rawValue),
                "added": .string(favorite.added.timestamp),
                "state": .string(state.rawValue),
            ]
        }
    }

    /// The newest day first.
    package let entries: [Entry]
    package let unrecognized: [UnrecognizedItem]
    /// The number of all unrecognized items, of which at most a thousand are listed.
    package let unrecognizedCount: Int

    package var json: JSON {
        [
            "favorites": .array(entries.map(\.json)),
            "unrecognized": .array(
                unrecognized.map {
                    ["name": .string($0.name.text), "reason": .string($0.reason)]
                }),
            "unrecognized_more": more > 0 ? .integer(more) : nil,
        ]
    }

    /// The number of unrecognized items that are not listed.
    package var more: Int { unrecognizedCount - unrecognized.count }

    package var dates: String { entries.map { "\($0.favorite.day)\n" }.joined() }
}

/// A favorite of an imported list, with the names of its links where it was exported.
struct ImportedFavorite {
    let day: Day
    let names: [FavoriteName]
    /// When it was added, if the list says so.
    var added: Date?

    /// Reads lines of dates, or the JSON that `favorites export` prints; `nil` if `bytes` are neither.
    static func list(_ bytes: [UInt8]) -> [ImportedFavorite]? {
        let bytes = bytes.withoutByteOrderMark
        if let favorites = (try? JSON(parsing: Array(bytes)))?["favorites"] {
            let imported = favorites.elements.compactMap { json in
                json["date"]?.day
                    .map {
                        ImportedFavorite(
                            day: $0, names: Favorite.names(json) ?? [], added: json["added"]?.date)
                    }
            }
            return imported.count == favorites.elements.count ? imported : nil
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let lines = text.split(whereSeparator: \.isNewline)
            .map { $0.drop(while: \.isWhitespace).prefix { $0 != "#" && !$0.isWhitespace } }
            .filter { !$0.isEmpty }
        let days = lines.compactMap { Day(iso: $0) }
        guard days.count == lines.count else { return nil }
        return days.map { ImportedFavorite(day: $0, names: []) }
    }
}
