internal import APOD
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
    }

    /// The newest day first.
    package let entries: [Entry]
    package let unrecognized: [UnrecognizedItem]
    /// The number of all unrecognized items, of which at most a thousand are listed.
    package let unrecognizedCount: Int

    package var json: JSON {
        [
            "favorites": .array(entries.map(\.json)),
            "unrecognized": .array(unrecognized.map(\.json)),
            "unrecognized_more": more > 0 ? .integer(more) : nil,
        ]
    }

    /// The number of unrecognized items that are not listed.
    package var more: Int { unrecognizedCount - unrecognized.count }

    /// The dates, one a line.
    package var dates: String { entries.map { "\($0.favorite.day)\n" }.joined() }
}

extension FavoriteList.Entry {
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

extension UnrecognizedItem {
    fileprivate var json: JSON {
        ["name": .string(name.text), "reason": .string(reason)]
    }
}
