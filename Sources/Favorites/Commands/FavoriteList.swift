internal import APOD
package import JSON
internal import Mirror

/// All favorites, and what in `favorites/` was not understood: what `favorites list` shows.
package struct FavoriteList: Sendable {
    package enum State: String, Hashable, Sendable {
        case kept
        /// It is seen, and no record of it is on the disk yet.
        case new
        /// It is gone from `favorites/`, and that is not believed, or not yet.
        case held
        /// The mirror does not have the day yet.
        case wanted
    }

    package struct Entry: Sendable {
        package let favorite: Favorite
        package let state: State
    }

    /// The newest day first.
    package let entries: [Entry]
    package let notUnderstood: [UnrecognizedItem]
    /// How much was not understood: of more than a thousand only those are listed.
    package let notUnderstoodCount: Int

    package var json: JSON {
        [
            "favorites": .array(entries.map(\.json)),
            "unrecognized": .array(notUnderstood.map(\.json)),
            "unrecognized_more": more > 0 ? .integer(more) : nil,
        ]
    }

    /// How much was not understood and is not listed.
    package var more: Int { notUnderstoodCount - notUnderstood.count }

    /// The dates alone, a line each.
    package var dates: String { entries.map { "\($0.favorite.day)\n" }.joined() }
}

extension FavoriteList.Entry {
    fileprivate var json: JSON {
        [
            "date": .string("\(favorite.day)"),
            "title": .string(favorite.title ?? ""),
            "names": .array(favorite.names.map { .string($0.text) }),
            "names_bytes": Favorite.bytes(of: favorite.names),
            "via": .string(favorite.via.rawValue),
            "added": .string(favorite.added.timestamp),
            "state": .string(state.rawValue),
        ]
    }
}

extension UnrecognizedItem {
    fileprivate var json: JSON {
        ["name": .string(name.text), "reason": .string(reason)]
    }
}
