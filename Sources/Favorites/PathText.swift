internal import APOD

/// A path as some machine spells it, taken for its words alone: nothing is ever looked up.
struct PathText: Hashable, Sendable {
    let parts: [[UInt8]]

    /// Splits at `separator`; dots are worked out, and `..` leads nowhere above the top.
    init(
        _ bytes: some Collection<UInt8>, separator: UInt8 = UInt8(ascii: "/"), below: [[UInt8]] = []
    ) {
        var parts = below
        for part in bytes.split(separator: separator) where !part.elementsEqual([0x2E]) {
            if part.elementsEqual([0x2E, 0x2E]) {
                _ = parts.popLast()
            } else {
                parts.append(Array(part))
            }
        }
        self.parts = parts
    }

    init(_ text: String) { self.init(text.utf8) }

    init(parts: [[UInt8]]) { self.parts = parts }

    /// The rest of the path below `root`, `nil` where it lies elsewhere.
    func below(_ root: PathText) -> PathText? {
        guard parts.starts(with: root.parts) else { return nil }
        return PathText(parts: Array(parts.dropFirst(root.parts.count)))
    }

    /// The day of a path in a mirror, whatever lies above it: `…/2026/2026-11/2026-11-20 X.jpg`.
    ///
    /// What is above may be `pictures` or the share that shows it under a name of its own.
    var mirroredDay: Day? {
        guard parts.count >= 3, let name = parts.last, let day = DateInText.day(before: name)
        else { return nil }
        let month = "\(day)".prefix(7)
        let above = parts.dropLast().suffix(2).map { String(decoding: $0, as: UTF8.self) }
        return above[0] == month.prefix(4) && above[1] == month ? day : nil
    }

    /// The day that one of the last two parts names.
    var day: Day? { parts.suffix(2).reversed().lazy.compactMap { DateInText.day(in: $0) }.first }

    /// Whether the last part is the name of the newest picture of a mirror.
    var isLatest: Bool {
        guard let name = parts.last else { return false }
        return name.starts(with: "latest.".utf8) && name.count <= 12
    }
}
