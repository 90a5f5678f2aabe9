internal import APOD
internal import Mirror
internal import Platform

/// The text of a path on this or another machine, such as the target of a link in `favorites/`, and the day that it names.
///
/// The path is never opened. Only its parts are kept, and not whether it began with a slash.
struct PathText: Hashable, Sendable {
    let parts: [ArraySlice<UInt8>]

    /// Splits a path at its slashes, and resolves `.` and `..` in it; `..` at the top is ignored.
    ///
    /// `base` has the parts of the folder from which a relative path leads.
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

// MARK: The day that a path names

extension PathText {
    /// The day of a path that ends like a picture in any mirror: `…/2026/2026-11/2026-11-20 X.jpg`.
    var dayOfMirroredFile: Day? {
        guard parts.count >= 3, let name = parts.last, let day = FileName.day(of: Array(name))
        else { return nil }
        let (year, month) = (parts[parts.count - 3], parts[parts.count - 2])
        return year.elementsEqual(name.prefix(4)) && month.elementsEqual(name.prefix(7)) ? day : nil
    }

    /// The day at the beginning of the last part, as in `Downloads/2026-11-20 X.jpg`.
    var dayInFileName: Day? { parts.last.flatMap { FileName.day(of: Array($0)) } }

    /// The day in a name of NASA's old site, such as `ap261120.html`, which many sites and programs still use.
    var dayInOldName: Day? {
        guard let name = parts.last, name.prefix(2).map(\.lowercased).elementsEqual("ap".utf8)
        else { return nil }
        return DateInName(startOf: name)?.day
    }

    /// The day of a file in `v1/` of a mirror: `v1/2026-11-20.json`.
    var dayOfV1File: Day? {
        guard parts.dropLast().last?.elementsEqual("v1".utf8) == true,
            let ending = parts.last?.dropFirst(FileName.dayLength),
            // The address may stand in a sentence, so that a full stop or a bracket may follow it.
            ending.starts(with: ".json".utf8), ending.dropFirst(5).first?.isPartOfWord != true
        else { return nil }
        return dayInFileName
    }

    /// The day in the last part, or else in the part before it, as in the addresses of NASA's pages.
    var dayOfNASAPage: Day? {
        parts.suffix(2).reversed().lazy.compactMap { DateInName.first(in: $0) }.first
    }

    /// The file of the newest day at this path, which is relative to the root of a mirror; `nil` if it is another file.
    var latestFile: LatestFile? {
        if self == PathText(Layout.latestRecord) { return .record }
        return self == PathText(Layout.latestPicture) ? .picture : nil
    }

    /// The item in `favorites/` at this path, which is relative to the root of a mirror; `nil` if it lies elsewhere.
    var favoriteName: FavoriteName? {
        below(PathText(Layout.favorites)).flatMap { FavoriteName($0.bytes) }
    }
}

/// A file at the top of a mirror that belongs to the newest day, and so to another day tomorrow.
enum LatestFile { case record, picture }
