/// The text of a symbolic link in `favorites/`, as readlink(2) returns it.
struct LinkText {
    let bytes: [UInt8]

    var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

    /// Whether the text alone says where a link in `folder` leads: `..` stands only at the start, or after a part of `folder`.
    ///
    /// In `x/../y`, `x` may itself be a link. Then the kernel looks for `y` beside the destination of that link. No part of
    /// `folder` is a link: a shell makes the text `/mirror/favorites/../y` of `$PWD/../y`.
    func isUnambiguous(in folder: [ArraySlice<UInt8>]) -> Bool {
        var parts = bytes.split(separator: UInt8(ascii: "/"))[...]
        if isAbsolute {
            let shared = zip(parts, folder).prefix { $0.elementsEqual($1) }.count
            parts = parts.dropFirst(shared)
        }
        let partsBelow = parts.drop { $0.elementsEqual("..".utf8) }
        return !partsBelow.contains { $0.elementsEqual("..".utf8) }
    }

    /// Whether the text is `../`, once or several times, and then `path`: so the mirror makes its links.
    func leadsUp(to path: String) -> Bool {
        let up = Array("../".utf8)
        var below = bytes[...]
        while below.starts(with: up) { below = below.dropFirst(up.count) }
        return below.count < bytes.count && below.elementsEqual(path.utf8)
    }
}
