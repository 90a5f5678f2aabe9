package import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// What all actions read before they change a link: their arguments, the links in `favorites/`, and the records of favorites.
extension FavoriteCommands {
    /// The path in the mirror for an absolute one, as a shell completes it: `favorites/x.jpg` for `/srv/apod/favorites/x.jpg`.
    ///
    /// Any other argument stays as it is. If `x.jpg` is a link, it is not followed to a picture, because a person who removes a
    /// favorite means the link.
    func relativePath(of argument: String) -> String {
        // The address of a web page or of a file is no path.
        guard !argument.contains("://") else { return argument }
        let root = "\(tree.root.path)/"
        if argument.hasPrefix(root) { return String(argument.dropFirst(root.count)) }
        // A name alone, and a file in `/`, is in no folder of the mirror.
        guard argument.dropFirst().contains("/") else { return argument }
        // The folder may be given by a link, or relative to the current one.
        let (folder, name) = Layout.split(argument)
        let path = "\(resolvedPath(folder))/\(name)"
        return path.hasPrefix(root) ? String(path.dropFirst(root.count)) : argument
    }

    /// The day that `argument` names by itself; `nil` if it names none.
    func dayArgument(_ argument: String) throws -> Day? {
        try DayArgument.day(relativePath(of: argument), in: store, at: now())
    }

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
        if let error = survey.folderError { throw error }
        if let failure = survey.failures.first { throw failure.error }
        // A favorite counts from the scan that finds its link until its removal is recorded.
        let days = survey.stored.days.union(survey.reconciliation.favorites.keys)
            .union(survey.stored.pins.keys)
        return afterNextScan ? days.subtracting(survey.reconciliation.removed.map(\.day)) : days
    }
}
