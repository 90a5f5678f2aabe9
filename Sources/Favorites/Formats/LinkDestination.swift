internal import APOD
internal import JSON
internal import Mirror
internal import Platform

/// Where a link in `favorites/` leads, as its text says; the link is not followed.
///
/// ``Classifier`` finds the day of a link by its destination. A reconciliation repairs links whose destination is missing.
enum LinkDestination: Hashable {
    /// A path in the mirror, relative to its root.
    case inside(PathText)
    /// A path elsewhere on this machine.
    case outside(PathText)

    /// The destination of the link `name`, whose text is `target`.
    init(_ target: [UInt8], from name: FavoriteName, in tree: Tree) throws(SystemError) {
        let isAbsolute = target.first == UInt8(ascii: "/")
        let folder = PathText(tree.root.path).parts + PathText(name.folderPath).parts
        let path = PathText(target[...], from: isAbsolute ? [] : folder)
        self = try tree.pathInMirror(of: path).map(Self.inside) ?? .outside(path)
    }
}

extension Tree {
    /// The part of the absolute `path` below the root of the mirror; `nil` if the path leads elsewhere.
    ///
    /// The path may have the root under another name: that of a symbolic link to the root, or of a bind mount. Only for
    /// `latest.*` and for existing items in `favorites/`, the folders above are opened to find that out. All other files have
    /// their day in their names, and a folder may be on a disk that does not answer.
    func pathInMirror(of path: PathText) throws(SystemError) -> PathText? {
        if let inside = path.below(PathText(root.path)) { return inside }
        for count in path.parts.indices {
            let (folder, inside) = path.split(after: count)
            guard inside.latestFile != nil || inside.favoriteName != nil,
                try ifValid(root.status(inside.bytes)) != nil, isRoot(folder)
            else { continue }
            return inside
        }
        return nil
    }

    /// Whether the folder at the absolute `path` is the root of this mirror.
    ///
    /// `false` after any error: the link counts as unrecognized then. Its favorite stays, because the link is still there.
    private func isRoot(_ path: PathText) -> Bool {
        guard let text = String(validating: path.bytes, as: UTF8.self),
            let status = try? Directory(opening: "/\(text)").status()
        else { return false }
        return status.identity == (try? root.status())?.identity
    }
}

/// The days of links in `favorites/` whose destination names no day, so that files of the mirror are read.
extension Store {
    /// The day of a link that Nemo made when a person dragged a picture from its list of recent files into `favorites/`.
    ///
    /// Such a link has the `name` of the picture, but leads to `path`, which is `/` and a hash, where there is no file.
    ///
    /// - Returns: `nil` for any other link.
    func day(ofRecentLink name: FavoriteName, to path: PathText) throws(SystemError) -> Day? {
        guard path.parts.count == 1, let day = FileName.day(of: name.last),
            let record = try record(of: day),
            record.fileNames.contains(where: { $0.utf8.elementsEqual(name.last) }),
            try Directory(opening: "/").isCertainlyMissing(path.bytes)
        else { return nil }
        return day
    }

    /// The day to which `file` belongs now; `nil` if there is no such file, or if a person made it.
    func day(of file: LatestFile) throws(SystemError) -> Day? {
        switch file {
        case .picture: return try tree.latestPictureDay
        case .record:
            let bytes = try ifValid(tree.root.read(Layout.latestRecord))
            let json = bytes.flatMap { try? JSON(parsing: $0) }
            return json.flatMap { DayRecord($0) }?.entry.day
        }
    }
}

extension DayRecord {
    /// The names of the recorded picture, video and page, even if these files are gone.
    var fileNames: [String] {
        (allFiles.map(\.path) + [page].compactMap(\.self)).map { Layout.split($0).name }
    }
}
