internal import Mirror
internal import Platform

/// The parts of a path that is written in a link, an argument or an address, such as the target of a link in `favorites/`.
///
/// The path is only text: nothing is opened, and it may be that of another machine. Whether it began with a slash is not
/// kept, because a path counts by its last parts, or by the parts below the root of the mirror.
struct PathText: Hashable, Sendable {
    let parts: [ArraySlice<UInt8>]

    /// Splits a path at its slashes, and resolves `.` and `..` in it; `..` at the top is ignored.
    ///
    /// - Parameters:
    ///   - bytes: The path.
    ///   - base: The parts of the folder from which a relative path leads.
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

    /// Splits the path into its first `count` parts and the others.
    func split(after count: Int) -> (head: PathText, tail: PathText) {
        (PathText(parts: parts.prefix(count)), PathText(parts: parts.dropFirst(count)))
    }

    /// The rest of the path below `root`, empty for `root` itself; `nil` if the path lies elsewhere.
    func below(_ root: PathText) -> PathText? {
        guard parts.starts(with: root.parts) else { return nil }
        return PathText(parts: parts.dropFirst(root.parts.count))
    }

    // MARK: Places in a mirror

    /// The file of the newest day at this path, which is relative to the root of a mirror; `nil` if it is another file.
    var latestFile: LatestFile? {
        switch self {
        case PathText(Layout.latestRecord): .record
        case PathText(Layout.latestPicture): .picture
        default: nil
        }
    }

    /// The item in `favorites/` at this path, which is relative to the root of a mirror; `nil` if it lies elsewhere.
    var favoriteName: FavoriteName? {
        below(PathText(Layout.favorites)).flatMap { FavoriteName($0.bytes) }
    }
}

/// A file at the top of a mirror that belongs to the newest day, and so to another day tomorrow.
enum LatestFile { case record, picture }
