internal import APOD
package import FoundationEssentials
internal import Glibc
package import Platform

/// A problem that prevents every download, such as a full disk; a problem of a single day is a ``DayProblem``.
///
/// A sync finds the obstacle, and saves it in `state.json`. The log, the exit code, `status` and systemd show it.
package struct Obstacle: Error, Hashable, Codable, Sendable {
    package enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
        /// NASA cannot be reached, or answers without its list of entries.
        case network
        /// The disk is read-only or fails, or this machine lacks memory or descriptors.
        case disk
        /// The disk is full, or has only the free space that `--min-free` reserves.
        case space
        /// The clock of this machine is wrong: all of NASA's entries are in the future, or no certificate seems to be valid.
        case clock
        /// This user may not write where days are published.
        case rights
    }

    package let kind: Kind
    /// What is wrong, and after a semicolon what to do: `/srv/apod: no inodes are free; delete small files on that disk`.
    package let text: String
    /// When the first sync met an obstacle of this kind that all later ones have met, too.
    package private(set) var since: Date

    package init(_ kind: Kind, _ text: String, since: Date = Date()) {
        self.kind = kind
        self.text = text
        self.since = since
    }

    /// What is wrong: the part of ``text`` before the semicolon.
    package var summary: String {
        text.firstRange(of: "; ").map { String(text[..<$0.lowerBound]) } ?? text
    }

    /// This obstacle; if the sync before met an obstacle of the same kind, `earlier`, it lasts since that time.
    package func following(_ earlier: Obstacle?) -> Obstacle {
        guard let earlier, earlier.kind == kind else { return self }
        var obstacle = self
        obstacle.since = min(since, earlier.since)
        return obstacle
    }
}

extension Obstacle {
    /// The lack of free space on the disk of `root`, of which `minimumFree` bytes are reserved, or of inodes.
    ///
    /// `nil` if the disk has room.
    package static func space(
        on root: Directory, minimumFree: Int, at now: Date = Date()
    ) throws(SystemError) -> Obstacle? {
        let bytes = try root.freeBytes()
        guard bytes - minimumFree >= Store.spaceForRecords else {
            let limit =
                minimumFree > 0 ? "--min-free \(ByteSize.text(of: minimumFree))" : root.path
            return Obstacle(
                .space,
                "\(limit): \(ByteCount(bytes)) are free, nothing is downloaded; free disk space, or lower"
                    + " --min-free", since: now)
        }
        guard try root.isOutOfFiles() else { return nil }
        return Obstacle(
            .space,
            "\(root.path): no inodes are free, nothing is downloaded; delete small files on that disk, see “df"
                + " -i”", since: now)
    }
}

extension Store {
    private static let topsOfDays = [Layout.pictures, Layout.metadata]

    /// Checks that this user may write where today's picture and record are published.
    ///
    /// - Throws: ``Obstacle`` if this user may not; ``SystemError`` if that cannot be found out.
    package func checkPlaces(at now: Date) throws {
        try checkIsWritable(Layout.incoming)
        if let today = Day(number: now.dayNumber) { try checkPlaces(of: today) }
    }

    /// Checks before any request that days can be published.
    ///
    /// If only the folders of today's month cannot be written, the days of other months can be published nevertheless.
    ///
    /// - Throws: As ``checkPlaces(at:)``.
    func checkPlacesOfAllDays(at now: Date) throws {
        try checkIsWritable(Layout.incoming)
        guard let today = Day(number: now.dayNumber) else { return }
        do {
            try checkFoldersAreWritable(of: today)
        } catch {
            for top in Self.topsOfDays { try checkIsWritable(top) }
        }
    }

    /// Why the files of `day` cannot be published, whatever NASA sends; `nil` if nothing prevents that.
    func problemOfPlaces(of day: Day) -> DayProblem? {
        do {
            try checkPlaces(of: day)
            return nil
        } catch {
            let obstacle = error as? Obstacle ?? Obstacle(error)
            return DayProblem(.localError, obstacle.text, .obstacle(obstacle))
        }
    }

    private func checkPlaces(of day: Day) throws {
        try checkFoldersAreWritable(of: day)
        for top in Self.topsOfDays { try checkIsReachable(Layout.folder(top, of: day)) }
    }

    /// As ``checkIsWritable(_:)``, opens no folder: every poll calls it.
    private func checkFoldersAreWritable(of day: Day) throws {
        for top in Self.topsOfDays { try checkIsWritable(Layout.folder(top, of: day)) }
    }

    /// Checks that files in `incoming/` can be renamed into the folder at `path`, as far as it exists: no part is a mount.
    private func checkIsReachable(_ path: String) throws(SystemError) {
        guard let incoming = try tree.root.folder(Layout.incoming) else { return }
        var path = path
        while path != "." {
            let (above, name) = Layout.split(path)
            let folder = try ifPresent(tree.root.folder(above))
            if let folder, try !folder.isReachable(name, byRenamesFrom: incoming) {
                throw SystemError("rename", path: "\(tree.root.path)/\(path)", code: EXDEV)
            }
            path = above
        }
    }

    /// Checks that this user may read the internal files of the mirror.
    ///
    /// What a person may have put aside is not opened.
    ///
    /// - Throws: ``Obstacle`` if this user may not; ``SystemError`` if the disk fails.
    package func checkInternalFiles() throws {
        guard let own = try tree.root.folder(Layout.own) else { return }
        let foldersOfFiles = [Layout.favoriteStore, Layout.views, Layout.requests, Layout.adopted]
        try reportingRights { () throws(SystemError) in
            for name in try own.textNames().sorted() where "\(Layout.own)/\(name)" != Layout.lock {
                guard try own.status(name)?.kind == .directory else {
                    try own.checkReadable(name)
                    continue
                }
                guard let folder = try own.folder(name) else { continue }
                let names = try folder.textNames().sorted()
                guard foldersOfFiles.contains("\(Layout.own)/\(name)") else { continue }
                for name in names { try folder.checkReadable(name) }
            }
        }
    }

    /// Checks that this user may write in each folder of the mirror in which the program makes, replaces or removes files.
    ///
    /// `favorites/` is left out: a person may give it other rights, and favorites are recorded without that of writing there.
    ///
    /// - Throws: As ``checkInternalFiles()``.
    package func checkFolders() throws {
        let ownPaths = Layout.ownNames.map { "\(Layout.own)/\($0)" }
        // For a path of a file, the folder that contains it is checked.
        let views = ViewName.places.filter { Layout.split($0).folder != Layout.favorites }
        for path in ownPaths.sorted() + [Rendition.folder] + views {
            try checkIsWritable(path)
        }
        for top in TreeSnapshot.topFolders {
            for year in try folders(in: top) where Month("\(year)-12") != nil {
                for month in try folders(in: "\(top)/\(year)") where Month(month) != nil {
                    try checkIsWritable("\(top)/\(year)/\(month)")
                }
            }
        }
    }

    /// The names in the folder at `path`, in which this user may write; none if there is no such folder.
    private func folders(in path: String) throws -> [String] {
        try checkIsWritable(path)
        return try reportingRights { () throws(SystemError) in
            try tree.root.textNames(in: path).sorted()
        }
    }

    /// Returns what `body` reads; if this user may not read it, throws an ``Obstacle`` with the remedy.
    private func reportingRights<Value>(_ body: () throws(SystemError) -> Value) throws -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            guard error.cause == .denied else { throw error }
            throw Obstacle(.rights, "\(error); \(tree.permissionRemedy)")
        }
    }

    /// The lack of free space or of inodes; `nil` if the disk has room.
    func spaceObstacle() throws(SystemError) -> Obstacle? {
        try .space(on: tree.root, minimumFree: minimumFree)
    }

    /// Checks that this user may write in the folder at `path`; if it is missing, in the folder in which it will be made.
    private func checkIsWritable(_ path: String) throws {
        let failure: SystemError
        do throws(SystemError) {
            return try tree.root.checkWritable(path)
        } catch let error {
            failure = error
        }
        if failure.cause == .absent, path != "." {
            return try checkIsWritable(Layout.split(path).folder)
        }
        guard failure.cause == .denied, !failure.isReadOnly else { throw failure }
        throw Obstacle(
            .rights,
            "\(Account.effectiveName) may not write in \(failure.path); \(tree.permissionRemedy)")
    }
}

extension Tree {
    /// What a user can do about `error`, which this process met in the mirror; `nil` if nothing is known.
    package func remedy(for error: SystemError) -> String? {
        error.cause == .denied && !error.isReadOnly ? permissionRemedy : error.remedy
    }

    /// What root can do so that this user, who is to own the mirror, may read and write all of it.
    fileprivate var permissionRemedy: String {
        let id = Account.effectiveUserID
        // Without a group, so that favorites/ stays in the group whose members may add favorites.
        let owner = Account.knownName(ofUser: id) ?? "\(id)"
        let path = root.path.shellWord
        return "as root, run “chown -R \(owner) \(path) && chmod -R u+rwX \(path)”"
    }
}

extension Directory {
    /// Throws unless the file `name` can be opened; an item of another kind, and none, count as readable.
    fileprivate func checkReadable(_ name: String) throws(SystemError) {
        guard try status(name)?.kind == .file else { return }
        _ = try ifValid(openToRead(name))
    }
}
