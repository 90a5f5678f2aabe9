internal import FoundationEssentials
internal import JSON
internal import Platform

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
