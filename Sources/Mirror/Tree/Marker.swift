internal import FoundationEssentials
internal import JSON
internal import Platform

/// The file that marks a directory as a mirror: `.apod-mirror/mirror.json`.
struct Marker: Hashable, Sendable {
    /// The format that this program supports.
    static let knownFormat = 3

    /// Random; stays the same when the mirror is moved.
    let id: String

    init() { id = UUID().uuidString.lowercased() }

    /// Reads the marker of `root`; `nil` if there is none.
    init?(in root: Directory) throws(TreeError) {
        let bytes: [UInt8]?
        do {
            bytes = try root.read(Layout.marker, limit: 1 << 20)
        } catch  where error.cause == .invalid {
            throw .damagedMarker(root.path)
        } catch {
            throw .system(error)
        }
        guard let bytes else { return nil }
        guard let json = try? JSON(parsing: bytes), let format = json["format"]?.integer,
            format > 0, let id = json["id"]?.string, !id.isEmpty
        else { throw .damagedMarker(root.path) }
        // mutation test: other-format
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
    /// The mirror that contains `path`, which is absolute and without links or dots.
    ///
    /// `/srv/apod/pictures/2026` is `pictures/2026` in the mirror at `/srv/apod`.
    package static func location(of path: String) -> (root: String, path: String)? {
        var above = path[...]
        while let folder = above.splitAtLastSlash?.above {
            above = folder
            let root = above.isEmpty ? "/" : String(above)
            if let folder = try? Directory(opening: root),
                let status = try? folder.status(Layout.marker), status.kind == .file
            {
                return (root, String(path.utf8.dropFirst(above.utf8.count + 1)) ?? "")
            }
        }
        return nil
    }
}
