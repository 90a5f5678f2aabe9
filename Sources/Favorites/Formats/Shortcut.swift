internal import APOD
internal import Mirror

/// A file of a desktop or a browser that leads to a web page or to another file.
///
/// The formats are not parsed: a file has the kind whose marks it contains, and whatever looks like an address
/// or a path is a target, the same one perhaps twice. So no offset, length or nesting of an untrusted file is
/// followed. The first target that names a day counts.
struct Shortcut {
    let kind: ReferenceKind
    /// Where the shortcut may lead: the addresses or paths in the file, in their order.
    let targets: [AddressText.Meaning]

    /// `nil` if `bytes` are not those of a shortcut.
    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x4C, 0, 0, 0, 0x01, 0x14, 0x02, 0]) {
            // The header of a .lnk file of Windows, see [MS-SHLLINK] 2.1.
            self.init(.shortcut, pathsIn: bytes)
        } else if bytes.starts(with: "book\0\0\0\0mark".utf8) {
            // The bookmark data of an alias of macOS.
            self.init(.alias, pathsIn: bytes)
        } else {
            self.init(addressesIn: bytes)
        }
    }

    /// Reads a binary file, whose paths are somewhere between other bytes, in UTF-8 or UTF-16.
    private init(_ kind: ReferenceKind, pathsIn bytes: [UInt8]) {
        self.kind = kind
        // UTF-16 may begin at an even or an odd byte.
        let texts = [
            bytes, Self.utf8(fromUTF16: bytes[...]), Self.utf8(fromUTF16: bytes.dropFirst()),
        ]
        targets = texts.flatMap { Self.parts(of: $0) }.compactMap { part in
            Self.path(in: part).map { AddressText.Meaning.path($0) }
        }
    }

    /// Reads a text file; `nil` if it is no shortcut.
    private init?(addressesIn bytes: [UInt8]) {
        let isUTF16 = bytes.starts(with: [0xFF, 0xFE])
        let text = Array((isUTF16 ? Self.utf8(fromUTF16: bytes[...]) : bytes).withoutByteOrderMark)
        func has(_ mark: String) -> Bool { text.firstRange(of: mark.utf8) != nil }
        func begins(_ mark: String) -> Bool { text.starts(with: mark.utf8) }
        if begins("bplist00") || (begins("<?xml") || begins("<!DOCTYPE plist")) && has("<plist") {
            kind = .webloc
        } else if has("[InternetShortcut]") {
            kind = .url
        } else if has("[Desktop Entry]") {
            kind = .desktop
        } else {
            return nil
        }
        // A `.desktop` file of another type starts a program. Spaces may surround the equals sign.
        let typeIsLink = text.split { $0 == 0x0A || $0 == 0x0D }.contains {
            $0.filter { $0 != 0x20 }.elementsEqual("Type=Link".utf8)
        }
        let isLink = kind != .desktop || typeIsLink
        let parts = isLink ? Self.parts(of: text) : []
        targets = parts.compactMap { AddressText.meaning(in: String(decoding: $0, as: UTF8.self)) }
    }

    /// Converts little-endian UTF-16; what is no text becomes U+FFFD.
    private static func utf8(fromUTF16 bytes: ArraySlice<UInt8>) -> [UInt8] {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map {
            UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// The parts between control characters, quotation marks and tags.
    private static func parts(of text: [UInt8]) -> [ArraySlice<UInt8>] {
        text.split { $0 < 0x20 || "\"<>".utf8.contains($0) }
    }

    /// The path that `text` begins with: it ends after the last extension that a file of a mirror can have.
    ///
    /// Bytes of another field may follow, and a length may come before, as a part of the first folder's name.
    private static func path(in text: ArraySlice<UInt8>) -> PathText? {
        for dot in text.indices.reversed() where text[dot] == UInt8(ascii: ".") {
            let rest = text[(dot + 1)...].prefix(4).map(\.lowercased)
            let found = PathText.fileExtensions.first { rest.starts(with: $0.utf8) }
            guard let found else { continue }
            let path = text[...(dot + found.utf8.count)]
            return PathText(path.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 })
        }
        return nil
    }
}
