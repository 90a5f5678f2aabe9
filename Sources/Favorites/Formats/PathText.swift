internal import APOD
internal import Mirror

/// A path of this or another machine, such as the target of a link in `favorites/`: interpreted by its text.
///
/// The disk is not read. A path has parts only: whether it began with a slash is not kept.
struct PathText: Hashable, Sendable {
    let parts: [ArraySlice<UInt8>]

    /// Splits a path at slashes and resolves `.` and `..` in it, from the folder `base`; `..` at the top is ignored.
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
    init(parts: some Sequence<ArraySlice<UInt8>>) { self.parts = Array(parts) }

    /// The parts, joined by slashes, without one at the beginning.
    var bytes: [UInt8] { Array(parts.joined(separator: [UInt8(ascii: "/")])) }

    /// The rest of the path below `root`; `nil` if the path lies elsewhere.
    func below(_ root: PathText) -> PathText? {
        guard parts.starts(with: root.parts) else { return nil }
        return PathText(parts: parts.dropFirst(root.parts.count))
    }
}

/// The day that a path names, and names of the files of a mirror.
extension PathText {
    /// The day of a path that certainly belongs to a mirror: it ends like `2026/2026-11/2026-11-20 X.jpg`.
    ///
    /// The parts above may have any names, as in a share.
    var mirroredDay: Day? {
        guard parts.count >= 3, let name = parts.last, let day = FileName.day(of: Array(name))
        else { return nil }
        let (year, month) = (parts[parts.count - 3], parts[parts.count - 2])
        return year.elementsEqual(name.prefix(4)) && month.elementsEqual(name.prefix(7)) ? day : nil
    }

    /// The day in the last part, for paths of files, whose folders may be named by other days.
    var fileDay: Day? { parts.last.flatMap { DateInName.first(in: $0) } }

    /// The day in the last part or else the one before, for web addresses and what a person typed.
    var pageDay: Day? {
        parts.suffix(2).reversed().lazy.compactMap { DateInName.first(in: $0) }.first
    }

    /// The last part if it is a name of the newest day in a mirror, such as `latest.jpg`.
    var latestName: String? {
        let name = parts.last.map { String(decoding: $0, as: UTF8.self) }
        return name.flatMap { Self.latestNames.contains($0) ? $0 : nil }
    }

    /// The names of the newest day, also those that earlier versions made.
    private static let latestNames = Set(
        MediaType.allCases.map { "latest.\($0.fileExtension)" }
            + [OwnedPath.latestRecord, .latestPicture].map(\.path) + ["latest-picture.jpg"])

    /// The extensions of the pictures, videos, web pages and records of a mirror, and `jpeg` of other programs.
    static let fileExtensions = MediaType.allCases.map(\.fileExtension) + ["jpeg", "html", "json"]
}
