internal import Glibc
package import Mirror
package import Platform

/// What the doctor examines: the mirror, or the place where one would be.
package struct DoctorContext: Sendable {
    /// Where the mirror is to be.
    package let root: String
    /// The mirror there, or why there is none.
    let mirror: Result<Tree, TreeError>
    /// The mirror's directory, or the nearest one above it that is there.
    let place: Directory
    /// Where things can be tried out, or what keeps this user from doing so.
    let scratch: Result<Scratch, SystemError>

    /// - Parameters:
    ///   - root: Absolute, without links.
    ///   - known: Which directories held a mirror before.
    /// - Throws: ``SystemError`` where not even the directory above can be looked into.
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

    /// What a check says that had to write and may not.
    func untried(_ name: String) -> CheckResult {
        .note(name, "not tried: this user may not write there", nil)
    }
}
