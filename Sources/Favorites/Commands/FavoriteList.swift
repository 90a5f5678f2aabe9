internal import APOD
internal import FoundationEssentials
package import JSON
internal import Mirror

/// All favorites and unrecognized items, as `favorites list` and `favorites export` print them.
package struct FavoriteList: Sendable {
    package enum State: String, Hashable, Sendable {
        case kept
        /// Found in `favorites/`, not recorded yet.
        case new
        /// Its link is missing; it is kept until it is certain that the person removed it.
        case held
        /// Recorded, its day is not mirrored yet.
        case wanted
    }

    package struct Entry: Sendable {
        package let favorite: Favorite
        package let state: State
        /// Of a held favorite: the seconds until it is removed, if its link does not return before; `nil` if it
        /// stays until the person decides.
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

    /// The days, each on a line of its own.
    package var dates: String { entries.map { "\($0.favorite.day)\n" }.joined() }
}

/// The actions `favorites list` and `favorites export`.
extension FavoriteCommands {
    /// All favorites, including those that are not recorded yet.
    package func list() throws -> FavoriteList {
        let snapshot = try readSnapshot()
        let favorites = snapshot.changes.favorites.values.sorted { $0.day > $1.day }
        return FavoriteList(
            entries: favorites.map { Self.entry(of: $0, in: snapshot) },
            unrecognized: snapshot.classified.unrecognized,
            unrecognizedCount: snapshot.classified.unrecognizedCount)
    }

    private static func entry(of favorite: Favorite, in snapshot: Snapshot) -> FavoriteList.Entry {
        // A day whose record cannot be read is listed without its title, as one that is not mirrored.
        let record = (try? snapshot.targets.dayRecord(of: favorite.day)) ?? nil
        var favorite = favorite
        favorite.title = favorite.title ?? record?.entry.title
        let isRecorded = snapshot.contents.favorites[favorite.day] != nil
        let state: FavoriteList.State =
            favorite.isMissing ? .held : !isRecorded ? .new : record == nil ? .wanted : .kept
        return FavoriteList.Entry(
            favorite: favorite, state: state,
            removedIn: snapshot.changes.secondsUntilRemoval(of: favorite))
    }
}
