internal import Glibc
internal import Mirror
internal import Platform

/// The place where a mirror is or will be, opened as far as this user can, for the checks of the ``Doctor``.
struct MirrorPlace {
    /// The path of the mirror.
    let root: String
    /// The mirror at ``root``, or why no command can open it.
    let mirror: Result<Tree, TreeError>
    /// The directory of the mirror, or the nearest directory above it that exists.
    let directory: Directory
    /// The directory for test files, in which this user has made one, or why that failed.
    let testFolder: Result<Directory, SystemError>

    /// `root` is an absolute path without symbolic links; `known` are the directories that held a mirror.
    ///
    /// - Throws: ``SystemError`` if `root`, or the nearest directory above it that exists, cannot be opened.
    init(_ root: String, known: KnownMirrors) throws(SystemError) {
        self.root = root
        mirror = Result { () throws(TreeError) in try Tree.reading(root, known: known) }
        directory = try Self.nearestDirectory(to: root)
        testFolder = Result { [directory, mirror] () throws(SystemError) in
            try Self.openTestFolder(in: directory, of: mirror)
        }
    }

    private static func nearestDirectory(to path: String) throws(SystemError) -> Directory {
        do {
            return try Directory(opening: path)
        } catch  where [ENOENT, ENOTDIR].contains(error.code) && path != "/" {
            let folder = Layout.split(path).folder
            // The path of the directory of “/name” is empty.
            return try nearestDirectory(to: folder.isEmpty ? "/" : folder)
        }
    }

    /// Opens the directory for test files, and makes a test file there to see whether this user may write.
    ///
    /// In a mirror, it is `incoming/`, which the daemon empties at each start.
    private static func openTestFolder(
        in directory: Directory, of mirror: Result<Tree, TreeError>
    ) throws(SystemError) -> Directory {
        var folder = directory
        if case .success = mirror { folder = try directory.folder(Layout.incoming) ?? directory }
        // It is as large as a picture, because a full disk may still make an empty file, and a quota one of a few bytes.
        try Store.testWrite(Store.spaceForPicture, in: folder, prefix: Layout.doctorPrefix)
        return folder
    }
}
