internal import APOD

/// What most links are: they lead straight to a file of a mirror, as their text tells byte by byte.
///
/// It says the same as ``LinkReader/lead(_:from:)`` or nothing, and takes no copy: there may be 100,000.
extension LinkReader {
    /// The day of a link to `…/2026/2026-11/2026-11-20 X.jpg`, wherever that is but in `favorites/`.
    func plainDay(_ target: ArraySlice<UInt8>, from name: FavoriteName) -> Day? {
        guard let slash = target.lastIndex(of: Self.slash) else { return nil }
        let start = slash + 1
        let (year, month) = (start - 13, start - 8)
        guard year >= target.startIndex,
            year == target.startIndex || target[year - 1] == Self.slash,
            target[month - 1] == Self.slash, let day = DateInText.day(before: target[start...]),
            target[year..<(year + 4)].elementsEqual(target[start..<(start + 4)]),
            target[month..<(month + 7)].elementsEqual(target[start..<(start + 7)]),
            isOutOfFavorites(target, from: name)
        else { return nil }
        return day
    }

    /// The path of a link to a file of this mirror, relative to the root; `nil` where it is written in
    /// any other way than a program would write it.
    func plainPath(
        _ target: ArraySlice<UInt8>, from name: FavoriteName
    ) -> ArraySlice<UInt8>? {
        guard let path = target.first == Self.slash ? below(target) : climbed(target, name.depth),
            !Self.hasDots(path)
        else { return nil }
        return path
    }

    private func below(_ target: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        for root in plainRoots where target.starts(with: root) {
            let rest = target.dropFirst(root.count)
            if rest.first == Self.slash { return rest.dropFirst() }
        }
        return nil
    }

    /// What follows `../`, which comes so many times.
    private func climbed(_ target: ArraySlice<UInt8>, _ times: Int) -> ArraySlice<UInt8>? {
        var rest = target
        for _ in 0..<times {
            guard rest.starts(with: Self.up) else { return nil }
            rest = rest.dropFirst(Self.up.count)
        }
        return rest.isEmpty ? nil : rest
    }

    /// Whether the link cannot lead to another favorite.
    private func isOutOfFavorites(_ target: ArraySlice<UInt8>, from name: FavoriteName) -> Bool {
        guard target.first == Self.slash || climbed(target, name.depth) != nil else { return false }
        var start = target.startIndex
        for end in target.indices where target[end] == Self.slash {
            if target[start..<end].elementsEqual(Self.favorites) { return false }
            start = end + 1
        }
        return true
    }

    /// Whether a part of `path` is empty, `.` or `..`.
    private static func hasDots(_ path: ArraySlice<UInt8>) -> Bool {
        var start = path.startIndex
        for end in path.startIndex...path.endIndex where end == path.endIndex || path[end] == slash
        {
            if path[start..<end].count <= 2, path[start..<end].allSatisfy({ $0 == 0x2E }) {
                return true
            }
            start = end + 1
        }
        return false
    }

    private static let slash = UInt8(ascii: "/")
    private static let up = Array("../".utf8)
    private static let favorites = Array(Scan.folder.utf8)
}
