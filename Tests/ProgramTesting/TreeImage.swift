import JSON
import Mirror
import Platform

/// Every file of a mirror with its bytes, and every link with its target; without `.apod-mirror/views/`, and without the
/// hint in an empty `favorites/`, which comes and goes with the first favorite.
package struct TreeImage: Hashable {
    package private(set) var files: [String: [UInt8]] = [:]
    /// ``records``, once they were decoded: trials compare one image with hundreds.
    let decodedRecords = Monitor<[String: JSON]?>(nil)
    private let publishedFiles = Monitor<[String: [UInt8]]?>(nil)

    /// The image of the directory at `path`, empty if it is missing.
    package init(of path: String) throws {
        guard let folder = try? Directory(opening: path) else { return }
        files = try Self.files(of: folder, below: "")
    }

    private init(_ files: [String: [UInt8]]) {
        self.files = files
    }

    package static func == (first: TreeImage, second: TreeImage) -> Bool {
        first.files == second.files
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(files) }

    private static func files(of folder: Directory, below: String) throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        let texts = [Layout.favoritesHint, Layout.favoritesReport]
        for name in try folder.textNames() where !texts.contains(name) {
            let path = below + name
            // What the views wrote is listed there with inodes and times.
            guard path != Layout.views else { continue }
            switch try folder.status(name)?.kind {
            case .directory:
                guard let inner = try folder.folder(name) else { continue }
                found.merge(try files(of: inner, below: path + "/")) { first, _ in first }
            case .symbolicLink: found[path] = Array((folder.target(of: name) ?? "").utf8)
            case .file: found[path] = try folder.read(name) ?? []
            default: found[path] = []
            }
        }
        return found
    }

    /// All files that do not change without an event: without the lock, which names its last holder.
    package var lasting: TreeImage {
        TreeImage(files.filter { ![Layout.lock, Layout.lockNotice].contains($0.key) })
    }

    /// The files that must never be lost: pictures, records and favorites.
    package var treasure: TreeImage {
        let tops = [
            Layout.pictures, Layout.metadata, "favorites", "\(Layout.own)/favorites", Layout.marker,
        ]
        return TreeImage(
            files.filter { file in
                tops.contains { file.key == $0 || file.key.hasPrefix("\($0)/") }
            })
    }

    /// The visible contents, without the times of download or publication.
    package var published: TreeImage {
        let published = publishedFiles.withLock { known -> [String: [UInt8]] in
            if let known { return known }
            let visible: [String: [UInt8]] =
                files
                .filter { path, _ in !path.hasPrefix("\(Layout.own)/") }
                .reduce(into: [:]) { $0[$1.key] = Self.timeless($1.value, at: $1.key) }
            known = visible
            return visible
        }
        return TreeImage(published)
    }

    /// The visible differences from `other`.
    package func differences(from other: TreeImage) -> [String] {
        let (mine, theirs) = (published.files, other.published.files)
        return Set(mine.keys).union(theirs.keys).filter { mine[$0] != theirs[$0] }.sorted()
    }

    private static func timeless(_ bytes: [UInt8], at path: String) -> [UInt8] {
        guard path.hasPrefix(Layout.metadata) || isView(path) else { return bytes }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        return Array(
            lines.filter { line in
                let text = Array(line)
                return !Self.times.contains { text.contains(bytes: $0) }
            }
            .joined(separator: [UInt8(ascii: "\n")]))
    }

    /// The keys and tags of lines that differ between two runs.
    private static let times = [
        "\"fetched\": ", "\"removed\": ", "\"last_modified\": ", "\"date_modified\": ", "<updated>",
        // Each mirror has its own ID.
        "<id>urn:uuid:",
        // What a page was made from, which includes times of files.
        "<!-- ", "// ",
    ].map { Array($0.utf8) }

    /// What is about to take the place of a visible file, beside it under a hidden name; an idle mirror has none.
    package var waiting: [String] { files.keys.filter(Self.isWaiting).sorted() }

    private static func isWaiting(_ path: String) -> Bool {
        Layout.split(path).name.hasPrefix("\(Layout.own) ")
    }

    /// The files in `incoming/`, of which an idle mirror has none.
    package var incoming: [String] { files.keys.filter { $0.hasPrefix(Layout.incoming + "/") } }

    /// Whether the file at `path` is made from others.
    private static func isView(_ path: String) -> Bool {
        ViewName.places.contains { path == $0 || path.hasPrefix("\($0)/") }
            || [Layout.failedPictures, Layout.checkedMonths].contains(path)
    }

    /// The pictures and videos.
    package var pictures: [String] {
        inPictures.filter { !$0.hasSuffix(".html") && !$0.hasSuffix(".xmp") }
    }

    /// The sidecars of pictures.
    package var sidecars: [String] { inPictures.filter { $0.hasSuffix(".xmp") } }

    package var thumbnails: [String] {
        files.keys.filter { $0.hasPrefix(Layout.thumbnails) && $0.hasSuffix(".jpg") }
    }

    private var inPictures: [String] {
        files.keys.filter { $0.hasPrefix(Layout.pictures + "/") && !Self.isWaiting($0) }.sorted()
    }

    /// The published files that `whole` does not have or that differ.
    ///
    /// What is made from others is excluded: it depends on them.
    package func strangers(to whole: TreeImage) -> [String] {
        let (mine, theirs) = (published.files, whole.published.files)
        return mine.keys.filter { path in
            !Self.isView(path) && !Self.isWaiting(path)
                && !path.hasSuffix(Layout.sidecarExtension)
                && mine[path] != theirs[path]
        }
    }
}
