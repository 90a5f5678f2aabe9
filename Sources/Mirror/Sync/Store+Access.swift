internal import APOD
package import FoundationEssentials
internal import Glibc
package import Platform

// Checks before a sync and in `doctor`: may this user read and write what the program needs in the mirror?
//
// A lack of rights becomes an `Obstacle` with the command that corrects it. Any other error is thrown as it is, because it does
// not say that a right is missing.

extension Store {
    private static let foldersOfDays = [Layout.pictures, Layout.metadata]

    /// Checks that this user may write where today's picture and record are published.
    ///
    /// - Throws: ``Obstacle`` if this user may not; ``SystemError`` if that cannot be found out.
    package func checkCanPublish(at now: Date) throws {
        try checkIsWritable(Layout.incoming)
        if let today = Day(number: now.dayNumber) { try checkCanPublish(of: today) }
    }

    /// Checks before any request that days can be published.
    ///
    /// If only the folders of today's month cannot be written, the days of other months can be published nevertheless.
    ///
    /// - Throws: As ``checkCanPublish(at:)``.
    func checkCanPublishSomeDay(at now: Date) throws {
        try checkIsWritable(Layout.incoming)
        guard let today = Day(number: now.dayNumber) else { return }
        do {
            try checkFoldersAreWritable(of: today)
        } catch {
            for top in Self.foldersOfDays { try checkIsWritable(top) }
        }
    }

    /// Why the files of `day` cannot be published, whatever NASA sends; `nil` if nothing prevents that.
    func publishingProblem(of day: Day) -> DayProblem? {
        do {
            try checkCanPublish(of: day)
            return nil
        } catch {
            let obstacle = error as? Obstacle ?? Obstacle(error)
            return DayProblem(.localError, obstacle.text, .obstacle(obstacle))
        }
    }

    private func checkCanPublish(of day: Day) throws {
        try checkFoldersAreWritable(of: day)
        for top in Self.foldersOfDays { try checkIsReachable(Layout.folder(top, of: day)) }
    }

    /// Checks that this user may write in the folders of the month of `day`.
    ///
    /// It opens no folder, because every poll calls it.
    private func checkFoldersAreWritable(of day: Day) throws {
        for top in Self.foldersOfDays { try checkIsWritable(Layout.folder(top, of: day)) }
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
    package func checkInternalFilesAreReadable() throws {
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
    /// `favorites/` is left out: a person may give it other rights, and the program records favorites even if it may not write
    /// there.
    ///
    /// - Throws: As ``checkInternalFilesAreReadable()``.
    package func checkAllFoldersAreWritable() throws {
        let ownPaths = Layout.ownNames.map { "\(Layout.own)/\($0)" }
        // For a path of a file, the folder that contains it is checked.
        let views = ViewName.places.filter { Layout.split($0).folder != Layout.favorites }
        for path in ownPaths.sorted() + [Rendition.folder] + views {
            try checkIsWritable(path)
        }
        for top in TreeSnapshot.topFolders {
            try checkIsWritable(top)
            for year in try names(in: top) where Month("\(year)-12") != nil {
                try checkIsWritable("\(top)/\(year)")
                for month in try names(in: "\(top)/\(year)") where Month(month) != nil {
                    try checkIsWritable("\(top)/\(year)/\(month)")
                }
            }
        }
    }

    /// The names in the folder at `path`; none if there is no such folder.
    private func names(in path: String) throws -> [String] {
        try reportingRights { () throws(SystemError) in
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

    /// Checks that this user may write in the folder at `path`; if it is missing, in the folder in which it will be made.
    private func checkIsWritable(_ path: String) throws {
        do throws(SystemError) {
            try tree.root.checkWritable(path)
        } catch {
            if error.cause == .absent, path != "." {
                return try checkIsWritable(Layout.split(path).folder)
            }
            guard error.cause == .denied, !error.isReadOnly else { throw error }
            throw Obstacle(
                .rights,
                "\(Account.effectiveName) may not write in \(error.path); \(tree.permissionRemedy)")
        }
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
