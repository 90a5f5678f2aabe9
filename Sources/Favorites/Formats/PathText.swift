internal import APOD
internal import JSON
internal import Mirror
internal import Platform

/// The text of a path on this or another machine, such as the target of a link in `favorites/`, and the day that it names.
///
/// The path is never opened. Only its parts are kept, and not whether it began with a slash.
struct PathText: Hashable, Sendable {
    let parts: [ArraySlice<UInt8>]

    /// Splits a path at its slashes, and resolves `.` and `..` in it; `..` at the top is ignored.
    ///
    /// If the path is relative, `base` has the parts of the folder from which it leads.
    init(_ bytes: ArraySlice<UInt8>, from base: [ArraySlice<UInt8>] = []) {
        var parts = base
        for part in bytes.split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
            if part.elementsEqual("..".utf8) {
                _ = parts.popLast()
            } else {
                parts.append(part)
            }
        }
        self.parts = parts
    }

    init(_ bytes: [UInt8]) { self.init(bytes[...]) }
    init(_ text: String) { self.init(Array(text.utf8)) }
    private init(parts: some Sequence<ArraySlice<UInt8>>) { self.parts = Array(parts) }

    /// The parts, joined by slashes; there is no slash at the beginning.
    var bytes: [UInt8] { Array(parts.joined(separator: [UInt8(ascii: "/")])) }

    /// The first `count` parts, and the others.
    func split(after count: Int) -> (PathText, PathText) {
        (PathText(parts: parts.prefix(count)), PathText(parts: parts.dropFirst(count)))
    }

    /// The rest of the path below `root`, empty for `root` itself; `nil` if the path lies elsewhere.
    func below(_ root: PathText) -> PathText? {
        guard parts.starts(with: root.parts) else { return nil }
        return PathText(parts: parts.dropFirst(root.parts.count))
    }
}

/// Where a link in `favorites/` leads, by its text.
enum LinkDestination: Hashable {
    /// A path in the mirror, relative to its root.
    case inside(PathText)
    /// A path elsewhere on this machine.
    case outside(PathText)

    /// The destination of the link `name` with the text `target`.
    init(_ target: [UInt8], from name: FavoriteName, in tree: Tree) throws(SystemError) {
        let isAbsolute = target.first == UInt8(ascii: "/")
        let root = PathText(tree.root.path)
        let folder = isAbsolute ? [] : root.parts + PathText(name.folderPath).parts
        let path = PathText(target[...], from: folder)
        self = try tree.path(below: path).map(Self.inside) ?? .outside(path)
    }
}

extension Tree {
    /// The rest of the absolute `path` below the root of the mirror; `nil` if it leads elsewhere.
    ///
    /// The path may have another name of the root, such as a symbolic link at the place from which the mirror was moved, or a
    /// bind mount. It is sought only for `latest.*` and for items in `favorites/` that exist: all other files have their day in
    /// their names. So hardly any other folder is opened, which may be on a disk that does not answer.
    func path(below path: PathText) throws(SystemError) -> PathText? {
        if let inside = path.below(PathText(root.path)) { return inside }
        for count in path.parts.indices {
            let (above, inside) = path.split(after: count)
            let item = inside.below(PathText(Layout.favorites)).flatMap { FavoriteName($0.bytes) }
            guard item != nil || inside.latestName != nil,
                try ifValid(root.status(inside.bytes)) != nil, isRoot(above)
            else { continue }
            return inside
        }
        return nil
    }

    /// Whether the folder at the absolute `path` is the root of this mirror.
    ///
    /// `false` after any error: the link is then unrecognized, and no favorite is removed because of what has the path of its item.
    private func isRoot(_ path: PathText) -> Bool {
        guard let text = String(validating: path.bytes, as: UTF8.self),
            let status = try? Directory(opening: "/\(text)").status()
        else { return false }
        return status.identity == (try? root.status())?.identity
    }
}

// MARK: The day that a path names

extension PathText {
    /// The day of a path that ends like a picture in any mirror: `…/2026/2026-11/2026-11-20 X.jpg`.
    var mirroredDay: Day? {
        guard parts.count >= 3, let name = parts.last, let day = FileName.day(of: Array(name))
        else { return nil }
        let (year, month) = (parts[parts.count - 3], parts[parts.count - 2])
        return year.elementsEqual(name.prefix(4)) && month.elementsEqual(name.prefix(7)) ? day : nil
    }

    /// The day at the beginning of the last part, as in `Downloads/2026-11-20 X.jpg`.
    var fileDay: Day? { parts.last.flatMap { FileName.day(of: Array($0)) } }

    /// The day in a name of NASA's old site, such as `ap261120.html`, which many sites and programs still use.
    var oldNameDay: Day? {
        guard let name = parts.last, name.prefix(2).map(\.lowercased).elementsEqual("ap".utf8)
        else { return nil }
        return DateInName(startOf: name)?.day
    }

    /// The day of a file in `v1/` of a mirror: `v1/2026-11-20.json`.
    var v1Day: Day? {
        guard parts.dropLast().last?.elementsEqual("v1".utf8) == true,
            let ending = parts.last?.dropFirst(FileName.dayLength),
            // The address may stand in a sentence, so that a full stop or a bracket may follow it.
            ending.starts(with: ".json".utf8), ending.dropFirst(5).first?.isPartOfWord != true
        else { return nil }
        return fileDay
    }

    /// The day in the last part, or else in the part before it, as addresses of NASA have it.
    var pageDay: Day? {
        parts.suffix(2).reversed().lazy.compactMap { DateInName.first(in: $0) }.first
    }

    /// `latest.json` or `latest.jpg`, if this path in a mirror is one of these files of the newest day; else `nil`.
    var latestName: String? {
        [Layout.latestRecord, Layout.latestPicture].first { self == PathText($0) }
    }
}

extension DayRecord {
    /// The names of the recorded picture, video and page, even if these files are gone.
    var fileNames: [String] {
        (allFiles.map(\.path) + [page].compactMap(\.self)).map { Layout.split($0).name }
    }
}

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

    /// The day of `name`, a ``PathText/latestName``; `nil` if there is no such file, or if a person made it.
    func day(ofLatest name: String) throws(SystemError) -> Day? {
        guard name == Layout.latestRecord else { return try tree.latestPictureDay }
        let json = try ifValid(tree.root.read(name)).flatMap { try? JSON(parsing: $0) }
        return json.flatMap { DayRecord($0) }?.entry.day
    }
}
