internal import APOD
internal import FoundationEssentials
package import JSON
internal import Mirror
internal import Platform

/// All favorites, and the items in `favorites/` that make no favorite, as the command `favorites list` prints them.
package struct FavoriteList: Sendable {
    /// What a user should know about a favorite.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// Recorded; its picture is in the mirror or pinned, or NASA has none for its day.
        case kept
        /// Found in `favorites/`, not recorded yet.
        case new
        /// Its link is missing. If ``Entry/removal`` is `nil`, it stays until a user restores or removes it.
        case held
        /// Recorded, but its picture is neither in the mirror nor pinned.
        case wanted
        /// Recorded; its picture may be in the mirror, but the record of its day or the picture cannot be read.
        case unknown
    }

    /// When a favorite is removed whose link is missing.
    package enum Removal: Hashable, Sendable {
        /// The daemon removes it after these seconds.
        case byDaemon(seconds: Double)
        /// No daemon is known to run. The next run records that the link is missing; one that begins a minute later removes it.
        case byLaterRun
    }

    package struct Entry: Sendable {
        package let favorite: Favorite
        package let state: State
        /// `nil` if the favorite is not to be removed.
        package let removal: Removal?

        /// The entry without its ``removal``, which would be out of date when a program reads it.
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
    ///
    /// It is not in the ``json``, because the command prints it as its error.
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
        let retries = try store.knownState().retries
        let hasDaemon = Tree.writer(in: tree.root)?.role == .daemon
        return FavoriteList(
            entries: favorites.map {
                survey.entry(for: $0, retry: retries[$0.day], hasDaemon: hasDaemon)
            },
            unrecognized: survey.unrecognized, folderError: folderError(of: survey))
    }
}

extension Survey {
    fileprivate func entry(
        for favorite: Favorite, retry: RetryState?, hasDaemon: Bool
    ) -> FavoriteList.Entry {
        FavoriteList.Entry(
            favorite: mirrored.withTitle(favorite), state: state(of: favorite, retry: retry),
            removal: reconciliation.secondsUntilRemoval(of: favorite).map { seconds in
                hasDaemon ? .byDaemon(seconds: seconds) : .byLaterRun
            })
    }

    private func state(of favorite: Favorite, retry: RetryState?) -> FavoriteList.State {
        let day = favorite.day
        if favorite.isMissing { return .held }
        guard stored.favorites[day] != nil || stored.unreadable[day] != nil else { return .new }
        // The pin, a second copy of the picture, is enough.
        if stored.pins[day] != nil { return .kept }
        do throws(SystemError) {
            guard let record = try mirrored.mirror.record(of: day) else { return .wanted }
            let nasaMayHavePicture = retry.map { !$0.hasNoPicture } ?? false
            if record.allFiles.isEmpty { return nasaMayHavePicture ? .wanted : .kept }
            return try mirrored.lacksMainFile(of: record) ? .wanted : .kept
        } catch {
            return .unknown
        }
    }
}
