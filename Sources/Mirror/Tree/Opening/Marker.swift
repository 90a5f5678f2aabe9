internal import FoundationEssentials
internal import JSON
package import Platform

/// The file that marks a directory as a mirror: `.apod-mirror/mirror.json`.
///
/// A new mirror gets it last. A directory without it is not opened as a mirror.
struct Marker: Hashable, Sendable {
    /// The format of the tree that this program supports.
    static let knownFormat = 3
    /// The most bytes of a marker that are read (1 MiB): many times the size of any.
    private static let largestMarker = 1 << 20

    /// A random identifier, which stays the same when the mirror is moved to another path.
    let id: String

    init() { id = UUID().uuidString.lowercased() }

    /// Reads the marker of the mirror in `root`; `nil` if there is none.
    ///
    /// - Throws: ``TreeError`` if the marker is damaged, has another format, or cannot be read.
    init?(in root: Directory) throws(TreeError) {
        let bytes: [UInt8]?
        do {
            bytes = try root.read(Layout.marker, limit: Self.largestMarker)
        } catch  where error.cause == .invalid {
            throw .damagedMarker(root.path)
        } catch {
            throw .system(error)
        }
        guard let bytes else { return nil }
        guard let json = try? JSON(parsing: bytes), let format = json["format"]?.integer,
            format > 0, let id = json["id"]?.string, !id.isEmpty
        else { throw .damagedMarker(root.path) }
        // mutation test: other-format (see Tests/Mutants)
        guard format == Self.knownFormat else {
            throw .otherFormat(root.path, found: format, known: Self.knownFormat)
        }
        self.id = id
    }

    var json: JSON {
        [
            "format": .integer(Self.knownFormat), "id": .string(id),
            "about": "A mirror of NASA's Astronomy Picture of the Day, kept by apod-mirror.",
        ]
    }
}

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
