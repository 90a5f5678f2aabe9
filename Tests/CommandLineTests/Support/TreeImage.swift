import APOD
import JSON
import Mirror
import Platform

/// Every file of a mirror with its bytes, and every link with where it leads.
struct TreeImage: Hashable {
    private(set) var files: [String: [UInt8]] = [:]

    /// The image of the directory at `path`, empty where there is none.
    init(of path: String) throws {
        guard let folder = try? Directory(opening: path) else { return }
        files = try Self.files(of: folder, below: "")
    }

    private init(_ files: [String: [UInt8]]) {
        self.files = files
    }

    private static func files(of folder: Directory, below: String) throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for name in try folder.textNames() {
            let path = below + name
            switch try folder.status(name)?.kind {
            case .directory:
                guard let inner = try folder.folder(name) else { continue }
                found.merge(try files(of: inner, below: path + "/")) { first, _ in first }
            case .symbolicLink: found[path] = Array((folder.target(of: name) ?? "").utf8)
            default: found[path] = try folder.read(name) ?? []
            }
        }
        return found
    }

    /// All that stays as it is while nothing happens: not the lock, which names its last holder.
    var lasting: TreeImage {
        TreeImage(files.filter { $0.key != "\(Layout.own)/\(Layout.lock)" })
    }

    /// What nothing may ever take away: pictures, records, and what makes a day a favorite.
    var treasure: TreeImage {
        let tops = [
            Layout.pictures, Layout.metadata, "favorites", "\(Layout.own)/favorites", Layout.marker,
        ]
        return TreeImage(
            files.filter { file in tops.contains { file.key == $0 || file.key.hasPrefix("\($0)/") }
            })
    }

    /// What a reader sees of it, without the moments at which it was fetched.
    var published: TreeImage {
        TreeImage(
            files.filter { path, _ in !path.hasPrefix(Layout.own) }
                .reduce(into: [:]) { $0[$1.key] = Self.timeless($1.value, at: $1.key) })
    }

    /// What a reader sees otherwise than in `other`, or in one of the two alone.
    func differences(from other: TreeImage) -> [String] {
        let (mine, theirs) = (published.files, other.published.files)
        return Set(mine.keys).union(theirs.keys).filter { mine[$0] != theirs[$0] }.sorted()
    }

    private static func timeless(_ bytes: [UInt8], at path: String) -> [UInt8] {
        guard path.hasPrefix(Layout.metadata) else { return bytes }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        return Array(
            lines.filter { !String(decoding: $0, as: UTF8.self).contains("\"fetched\": ") }
                .joined(separator: [UInt8(ascii: "\n")]))
    }

    /// The files under way, of which a mirror at rest has none.
    var incoming: [String] { files.keys.filter { $0.hasPrefix(Layout.incoming + "/") } }

    var latest: [String] { files.keys.filter { $0.hasPrefix("latest.") } }

    /// The pictures and videos.
    var pictures: [String] { inPictures.filter { !$0.hasSuffix(".html") } }

    /// The pages that lead to videos.
    var shortcuts: [String] { inPictures.filter { $0.hasSuffix(".html") } }

    var thumbnails: [String] {
        files.keys.filter { $0.hasPrefix("thumbnails/") && $0.hasSuffix(".jpg") }
    }

    private var inPictures: [String] {
        files.keys.filter { $0.hasPrefix(Layout.pictures + "/") }.sorted()
    }

    /// The days whose record names a picture.
    var complete: Set<Day> {
        Set(
            records.values.compactMap { record in
                record["picture"] == nil ? nil : record["date"]?.string.flatMap { Day(iso: $0) }
            })
    }

    /// What is not as the records say: a picture that is gone, or has another size or hash.
    var damage: [String] {
        records.compactMap { path, record in
            guard let picture = record["picture"] else {
                return record["missing"] == nil ? "\(path) is no record" : nil
            }
            guard let bytes = picture["path"]?.string.flatMap({ files[$0] }) else {
                return "\(path) names a picture that is not there"
            }
            var hash = SHA256()
            hash.update(bytes)
            let isWhole =
                hash.hexDigest() == picture["sha256"]?.string
                && bytes.count == picture["bytes"]?.integer
            return isWhole ? nil : "the picture of \(path) is damaged"
        }
    }

    /// What it has under a final name that `whole` has not or has otherwise.
    ///
    /// Pages of the gallery are not among them, for they tell of what is there.
    func strangers(to whole: TreeImage) -> [String] {
        let (mine, theirs) = (published.files, whole.published.files)
        return mine.keys.filter { path in
            !path.hasPrefix("latest.") && !path.hasPrefix("gallery/") && path != "index.html"
                && mine[path] != theirs[path]
        }
    }

    var records: [String: JSON] {
        files.filter { $0.key.hasPrefix(Layout.metadata + "/") }
            .mapValues { (try? JSON(parsing: $0)) ?? .null }
    }
}
