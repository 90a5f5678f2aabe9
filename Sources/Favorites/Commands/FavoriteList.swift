internal import APOD
internal import FoundationEssentials
package import JSON
internal import Mirror
internal import Platform

/// All favorites and unrecognized items, as `favorites list` prints them.
package struct FavoriteList: Sendable {
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// Recorded; its picture is in the mirror or pinned, or NASA has none for its day.
        case kept
        /// Found in `favorites/`, not recorded yet.
        case new
        /// Its link is missing. If ``Entry/secondsUntilRemoval`` is `nil`, it stays until a user restores or removes it.
        case held
        /// Recorded, but its picture is neither in the mirror nor pinned.
        case wanted
        /// Recorded; its picture may be in the mirror, but the record of its day or the picture cannot be read.
        case unknown
    }

    package struct Entry: Sendable {
        package let favorite: Favorite
        package let state: State
        /// The seconds until the favorite is removed because its link is missing; `nil` if it is not to be removed.
        package let secondsUntilRemoval: Double?

        /// The entry without ``secondsUntilRemoval``, which would be out of date when a program reads it.
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
    /// Why `favorites/` itself cannot be read, so that only recorded favorites are listed; `nil` if it can.
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
    /// Lists all favorites, including those that are not recorded yet.
    package func list() throws -> FavoriteList {
        let survey = try survey()
        let favorites = survey.reconciliation.favorites.values.sorted { $0.day > $1.day }
        // Without it, a day of which the record names no picture counts as one of which NASA has none.
        let retries = (try? survey.mirrored.mirror.state())?.retries ?? [:]
        return FavoriteList(
            entries: favorites.map { FavoriteList.Entry($0, in: survey, retry: retries[$0.day]) },
            unrecognized: survey.unrecognized, folderError: survey.folderError)
    }
}

extension FavoriteList.Entry {
    fileprivate init(_ favorite: Favorite, in survey: Survey, retry: RetryState?) {
        var favorite = favorite
        // A pin is a link to the picture of a favorite. Where there is one, the record is read only for a title.
        let isPinned = survey.stored.pins[favorite.day] != nil
        var pictureState = isPinned ? FavoriteList.State.kept : .wanted
        if favorite.title == nil || !isPinned {
            do throws(SystemError) {
                if let record = try survey.mirrored.mirror.record(of: favorite.day) {
                    favorite.title = favorite.title ?? record.entry.title
                    let hasNone = record.allFiles.isEmpty && retry?.hasNoPicture ?? true
                    let lacksMedia = try survey.mirrored.lacksMedia(record)
                    if hasNone || !lacksMedia { pictureState = .kept }
                }
            } catch {
                if !isPinned { pictureState = .unknown }
            }
        }
        self.init(
            favorite: favorite,
            state: Self.state(of: favorite, pictureState, in: survey.stored),
            secondsUntilRemoval: survey.reconciliation.secondsUntilRemoval(of: favorite))
    }

    /// The state of `favorite`, which is `pictureState` if it is recorded and has its link.
    private static func state(
        of favorite: Favorite, _ pictureState: FavoriteList.State, in stored: StoredFavorites
    ) -> FavoriteList.State {
        if favorite.isMissing { return .held }
        let isRecorded =
            stored.favorites[favorite.day] != nil || stored.unreadable[favorite.day] != nil
        return isRecorded ? pictureState : .new
    }
}
