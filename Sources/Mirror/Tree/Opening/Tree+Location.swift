package import Platform

/// Finds the mirror that contains a file: commands may name a day by one of its files.
extension Tree {
    /// The mirror that contains the file or directory at `path`, an absolute path without links or dots; `nil` if none does.
    ///
    /// `/srv/apod/pictures/2026` is `pictures/2026` in the mirror at `/srv/apod`. The root of a mirror is not in a mirror. A
    /// directory into which this user may not look counts as none, unless it ``isProbablyMirror(_:)``.
    ///
    /// - Throws: ``SystemError`` if nobody knows which mirror it is, because a directory cannot be read.
    package static func location(
        of path: String
    ) throws(SystemError) -> (root: String, pathInMirror: String)? {
        var above = path[...]
        var namesBelow: [Substring] = []
        while let (folder, name) = above.splitAtLastSlash {
            above = folder
            namesBelow.insert(name, at: 0)
            let root = folder.isEmpty ? "/" : String(folder)
            if try hasMarker(root) { return (root, namesBelow.joined(separator: "/")) }
        }
        return nil
    }

    private static func hasMarker(_ root: String) throws(SystemError) -> Bool {
        do {
            return try Directory(opening: root).status(Layout.marker)?.kind == .file
        } catch {
            let mayHideMarker = error.cause == .denied && isProbablyMirror(root)
            guard error.mayBeTemporary || mayHideMarker else { return false }
            throw error
        }
    }

    /// Whether the directory `root`, whose marker this user may not read, is probably a mirror with wrong permissions.
    ///
    /// Any directory above the current one may be closed, such as the home directory of another user who ran sudo(8). And a
    /// hidden directory by itself, such as in `/`, does not make its neighbors a mirror.
    private static func isProbablyMirror(_ root: String) -> Bool {
        guard let directory = try? Directory(opening: root) else { return false }
        guard let names = try? directory.textNames() else {
            // Nobody can look into it, as after “chmod -R 644 .”; its owner is to hear that.
            return (try? directory.status())?.owner == Account.effectiveUserID
        }
        return Set(names).isSuperset(of: [Layout.own, Layout.pictures, Layout.metadata])
    }
}
