/// A path of this or another machine, such as the target of a link in `favorites/`: interpreted by its text.
///
/// The disk is not read. A path has parts only: whether it began with a slash is not kept.
struct PathText: Hashable, Sendable {
    let parts: [ArraySlice<UInt8>]

    /// Splits a path at slashes and resolves `.` and `..` in it; `..` at the top is ignored.
    ///
    /// With a `base`, the folder from which it leads, it must be a relative path.
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

    /// The rest of the path below `root`, empty for `root` itself; `nil` if the path lies elsewhere.
    func below(_ root: PathText) -> PathText? {
        guard parts.starts(with: root.parts) else { return nil }
        return PathText(parts: parts.dropFirst(root.parts.count))
    }
}
