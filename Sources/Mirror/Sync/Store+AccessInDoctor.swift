internal import APOD
internal import Platform

/// The checks of `doctor`: may this user read and write all that the program needs in the mirror?
///
/// A lack of rights is thrown as an ``Obstacle`` with the command that corrects it, and any other error as it is.
extension Store {
    /// Checks that this user may read the internal files of the mirror, which are in `.apod-mirror/`.
    ///
    /// Files in directories that the program does not know, such as those that a person put there, are not opened.
    ///
    /// - Throws: ``Obstacle`` if this user may not; ``SystemError`` if the disk fails.
    package func checkInternalFilesAreReadable() throws {
        guard let own = try tree.root.folder(Layout.own) else { return }
        try reportingRights { () throws(SystemError) in
            for name in try own.textNames().sorted() {
                let path = "\(Layout.own)/\(name)"
                // `doctor` has opened the lock for writing before, and then gives other advice.
                if path == Layout.lock { continue }
                if Layout.deletableFiles.contains(path) {
                    // It is read, too, because a person may delete it if the disk is damaged there: the error says so.
                    try tree.checkStateFile(at: path)
                } else {
                    try checkItemIsReadable(name, in: own)
                }
            }
        }
    }

    /// The directories of `.apod-mirror/` of which each file is opened; any other one is only listed.
    private static let foldersOfFiles = [
        Layout.favoriteStore, Layout.views, Layout.requests, Layout.adopted,
    ]

    /// Checks that this user may read the file `name` in `.apod-mirror/`, or list the directory of that name.
    private func checkItemIsReadable(_ name: String, in own: Directory) throws(SystemError) {
        try own.checkFileIsReadable(name)
        guard try own.status(name)?.kind == .directory, let folder = try own.folder(name)
        else { return }
        let fileNames = try folder.textNames().sorted()
        guard Self.foldersOfFiles.contains("\(Layout.own)/\(name)") else { return }
        for fileName in fileNames { try folder.checkFileIsReadable(fileName) }
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

    /// Checks that this user may write in each directory of the mirror in which the program makes, replaces or removes files.
    ///
    /// `favorites/` is left out: a person may give it other rights, and favorites are recorded even then. `doctor` notes this.
    ///
    /// - Throws: As ``checkInternalFilesAreReadable()``.
    package func checkAllFoldersAreWritable() throws {
        let ownPaths = Layout.ownNames.map { "\(Layout.own)/\($0)" }
        // For a path of a file, the directory that contains it is checked.
        let views = ViewName.places.filter { Layout.split($0).folder != Layout.favorites }
        for path in ownPaths.sorted() + [Rendition.folder] + views { try checkIsWritable(path) }
        for top in TreeSnapshot.topFolders { try checkFoldersAreWritable(in: top) }
    }

    /// Checks the directory `top`, such as `pictures`, and its directories of years and months.
    private func checkFoldersAreWritable(in top: String) throws {
        try checkIsWritable(top)
        for year in try names(in: top) where isYear(year) {
            try checkIsWritable("\(top)/\(year)")
            for month in try names(in: "\(top)/\(year)") where Month(month) != nil {
                try checkIsWritable("\(top)/\(year)/\(month)")
            }
        }
    }

    /// Whether `name` is a year of the archive, all of which have a December.
    private func isYear(_ name: String) -> Bool { Month("\(name)-12") != nil }

    /// The names in the directory at `path`; none if there is no such directory.
    private func names(in path: String) throws -> [String] {
        try reportingRights { () throws(SystemError) in
            try tree.root.textNames(in: path).sorted()
        }
    }
}

extension Directory {
    /// Throws unless the file `name` can be opened; an item of another kind, and none, count as readable.
    fileprivate func checkFileIsReadable(_ name: String) throws(SystemError) {
        guard try status(name)?.kind == .file else { return }
        _ = try ifValid(openToRead(name))
    }
}
