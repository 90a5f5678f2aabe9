package import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// What actions and other commands ask about favorites: the links in `favorites/`, and the records of favorites.
extension FavoriteCommands {
    /// Scans `favorites/`, and compares it with the records as the daemon would do it now.
    ///
    /// - Throws: An error of reading the records. What cannot be read in `favorites/` is listed by ``Survey/failures``.
    func survey() throws -> Survey {
        var scan = Scan(of: tree.root)
        var lastDirectory: ScannedDirectory?
        do {
            lastDirectory = try favoriteStore.lastScannedDirectory()
        } catch {
            // The survey then removes no favorite. A caller that reports the error calls `checkScannedDirectory`.
            scan.isComparable = false
        }
        return Survey(
            of: scan, in: store, comparedWith: try favoriteStore.storedFavorites(),
            lastDirectory: lastDirectory, now: now(), uptime: uptime())
    }

    /// Throws if the file cannot be read that says which directory was `favorites/` in the last scan.
    ///
    /// As long as that is so, no favorite is removed: `favorites/` may be the empty directory of another disk.
    package func checkScannedDirectory() throws { _ = try favoriteStore.lastScannedDirectory() }

    /// The days that the setting `--keep` never removes: all favorites, and all days with a second copy of a picture (a pin).
    ///
    /// If `afterNextScan`, the favorites are left out that the next scan will remove.
    ///
    /// - Throws: An error if an item in `favorites/` cannot be read, because that item may make any day a favorite.
    package func protectedDays(afterNextScan: Bool = false) throws -> Set<Day> {
        let survey = try survey()
        if let error = survey.scan.folderError { throw error }
        if let failure = survey.failures.first { throw failure.error }
        // A favorite counts from the scan that finds its link until its removal is recorded.
        let days = survey.stored.days.union(survey.reconciliation.favorites.keys)
            .union(survey.stored.pins.keys)
        return afterNextScan ? days.subtracting(survey.reconciliation.removed.map(\.day)) : days
    }
}
