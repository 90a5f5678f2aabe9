internal import APOD
internal import Mirror

/// A path of any machine, interpreted by its text; the disk is not read.
struct PathText: Hashable, Sendable {
    let parts: [ArraySlice<UInt8>]

    /// Splits at `separator` and resolves `.` and `..`; `..` at the top is ignored.
    init(
        _ bytes: ArraySlice<UInt8>, separator: UInt8 = UInt8(ascii: "/"),
        below: [ArraySlice<UInt8>] = []
    ) {
        var parts = below
        for part in bytes.split(separator: separator) where !part.elementsEqual([0x2E]) {
            if part.elementsEqual([0x2E, 0x2E]) {
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

    /// Whether `..` is in the text of a link at its beginning alone: after the name of a link, the kernel
    /// would follow `..` from another folder.
    static func isPlain(_ target: [UInt8]) -> Bool {
        let parts = target.split(separator: UInt8(ascii: "/")).drop {
            $0.elementsEqual([0x2E, 0x2E])
        }
        return !parts.contains { $0.elementsEqual([0x2E, 0x2E]) }
    }

    /// The parts, joined by slashes.
    var bytes: [UInt8] { Array(parts.joined(separator: [UInt8(ascii: "/")])) }

    /// The rest of the path below `root`; `nil` if the path lies elsewhere.
    func below(_ root: PathText) -> PathText? {
        guard parts.starts(with: root.parts) else { return nil }
        return PathText(parts: parts.dropFirst(root.parts.count))
    }

    /// The day of a path that ends like one in a mirror: `…/2026/2026-11/2026-11-20 X.jpg`; the parts above
    /// may have any names, as in a share.
    var mirroredDay: Day? {
        guard parts.count >= 3, let name = parts.last, let day = FileName.day(of: Array(name))
        else { return nil }
        let (year, month) = (parts[parts.count - 3], parts[parts.count - 2])
        return year.elementsEqual(name.prefix(4)) && month.elementsEqual(name.prefix(7)) ? day : nil
    }

    /// The day in the last part, which names a file.
    var fileDay: Day? { parts.last.flatMap { DateInName.first(in: $0) } }

    /// The day in one of the last two parts, as in the address of a web page.
    var day: Day? { parts.suffix(2).reversed().lazy.compactMap { DateInName.first(in: $0) }.first }

    /// The day of a path outside the mirror.
    var anyDay: Day? { mirroredDay ?? fileDay }

    /// The last part if it is a name of the newest day in a mirror, such as `latest.jpg`.
    var latestName: String? {
        let name = parts.last.map { String(decoding: $0, as: UTF8.self) }
        return name.flatMap { Self.latest.contains($0) ? $0 : nil }
    }

    /// The extensions of files of a mirror, and those that other programs use for them.
    static let fileExtensions = MediaType.allCases.map(\.fileExtension) + ["jpeg", "html", "json"]

    /// The names of the newest day, also those to which links of earlier versions lead.
    private static let latest = Set(
        MediaType.allCases.map { "latest.\($0.fileExtension)" }
            + [OwnedPath.latestRecord, .latestPicture].map(\.path) + ["latest-picture.jpg"])
}
