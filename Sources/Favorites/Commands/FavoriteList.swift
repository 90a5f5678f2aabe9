internal import APOD
internal import FoundationEssentials
package import JSON
internal import Mirror

/// All favorites and unrecognized items, as `favorites list` prints them.
package struct FavoriteList: Sendable {
    package enum State: String, Hashable, Sendable {
        /// Recorded, and its picture is here or pinned, or NASA has none for its day.
        case kept
        /// Found in `favorites/`, not recorded yet.
        case new
        /// Its link is missing. It is removed after ``Entry/secondsUntilRemoval``, or, if that is `nil`, stays until a
        /// user restores or removes it.
        case held
        /// Recorded, and its picture is not here.
        case wanted
    }

    package struct Entry: Sendable {
        package let favorite: Favorite
        package let state: State
        /// The rest of the grace period of a missing link; `nil` if there is none.
        ///
        /// It is not in the JSON, where it would be out of date.
        package let secondsUntilRemoval: Double?

        /// `via` is the kind of item.
        fileprivate var json: JSON {
            [
                "date": .string("\(favorite.day)"),
                "title": .string(favorite.title ?? ""),
                "names": .array(favorite.names.map { .string($0.recorded) }),
                "via": .string(favorite.kind.rawValue),
                "added": .string(favorite.added.timestamp),
                "state": .string(state.rawValue),
            ]
        }
    }

    /// The newest day first.
    package let entries: [Entry]
    package let unrecognized: [UnrecognizedItem]
    /// Why `favorites/` itself cannot be read, so that only what was recorded before is known; `nil` if it can.
    package let folderError: (any Error)?

    package var json: JSON {
        [
            "favorites": .array(entries.map(\.json)),
            "unrecognized": .array(
                unrecognized.map {
                    ["name": .string($0.name.recorded), "reason": .string($0.reason)]
                }),
        ]
    }
}

/// The action `favorites list`.
extension FavoriteCommands {
    /// All favorites, including those that are not recorded yet.
    package func list() throws -> FavoriteList {
        let survey = try survey()
        let favorites = survey.reconciliation.favorites.values.sorted { $0.day > $1.day }
        return FavoriteList(
            entries: favorites.map { FavoriteList.Entry($0, in: survey) },
            unrecognized: survey.unrecognized, folderError: survey.folderError)
    }
}

extension FavoriteList.Entry {
    fileprivate init(_ favorite: Favorite, in survey: Survey) {
        var favorite = favorite
        // A day with a pin is mirrored: its record is read only for a title.
        var isMirrored = survey.book.pins[favorite.day] != nil
        if favorite.title == nil || !isMirrored {
            // A day whose record cannot be read is listed without its title, as one that is not mirrored.
            let record = (try? survey.targets.mirror.record(of: favorite.day)) ?? nil
            favorite.title = favorite.title ?? record?.entry.title
            let hasFile = record.map { (try? survey.targets.lacksFile($0)) != true } ?? false
            isMirrored = isMirrored || hasFile
        }
        let isRecorded =
            survey.book.favorites[favorite.day] != nil
            || survey.book.unreadable[favorite.day] != nil
        let presentState = isRecorded ? (isMirrored ? FavoriteList.State.kept : .wanted) : .new
        self.init(
            favorite: favorite, state: favorite.isMissing ? .held : presentState,
            secondsUntilRemoval: survey.reconciliation.secondsUntilRemoval(of: favorite))
    }
}
