internal import Glibc
package import Mirror
package import Platform

/// What the checks examine: the mirror, or the directory for one.
package struct DoctorContext: Sendable {
    /// The directory for the mirror.
    package let root: String
    /// The mirror there, or why there is none.
    let mirror: Result<Tree, TreeError>
    /// The mirror's directory, or its nearest existing parent.
    let place: Directory
    /// The directory for test files, or why this user cannot write there.
    let scratch: Result<Scratch, SystemError>

    /// - Parameters:
    ///   - root: Absolute, without symbolic links.
    ///   - known: Which directories held a mirror before.
    /// - Throws: ``SystemError`` if not even a parent directory can be opened.
    package init(root: String, known: KnownMirrors) throws(SystemError) {
        self.root = root
        mirror = Result { () throws(TreeError) in try Tree.reading(root, known: known) }
        place = try Self.nearest(to: root)
        let isMirror = (try? mirror.get()) != nil
        scratch = Result { [place] () throws(SystemError) in
            try Scratch(in: place, isMirror: isMirror)
        }
    }

    var tree: Tree? { try? mirror.get() }

    /// Whether ``place`` is the directory of the mirror itself.
    var isThere: Bool { place.path == root }

    private static func nearest(to path: String) throws(SystemError) -> Directory {
        do {
            return try Directory(opening: path)
        } catch  where [ENOENT, ENOTDIR].contains(error.code) && path != "/" {
            return try nearest(
                to: Layout.split(path).folder == "" ? "/" : Layout.split(path).folder)
        }
    }
}
