internal import APOD
internal import MediaFormat
internal import Mirror

/// What the name of a file in a source says about it, whatever its contents are.
enum SourceName {
    /// Whether a file or folder is hidden, of an operating system or NAS (such as the trash), or has thumbnails by its name.
    @Sendable static func isIgnored(_ name: ArraySlice<UInt8>) -> Bool {
        if SystemNames.contains(name) { return true }
        let name = String(decoding: name, as: UTF8.self)
        return name.hasPrefix(".") || name.lowercased().hasPrefix("thumb")
    }

    /// Whether a thumbnail or a reduced copy has such a name: `2026-11-20_thumb.jpg`.
    static func isThumbnail(_ path: [UInt8]) -> Bool {
        let name = fileName(path).lowercased()
        let stem = name.splitAtLastDot?.stem ?? name[...]
        return ["_thumb", "-thumb", "_small"].contains { stem.hasSuffix($0) }
    }

    /// Whether a picture or video may have such a name, even of a type that the mirror rejects.
    static func mayBeMedia(_ path: [UInt8]) -> Bool {
        guard let ending = fileName(path).splitAtLastDot?.ending else { return true }
        return MediaType(anyExtension: ending.dropFirst().lowercased()) != nil
    }

    private static func fileName(_ path: [UInt8]) -> String {
        Layout.split(String(decoding: path, as: UTF8.self)).name
    }
}

extension [UInt8] {
    /// A path as text, for messages.
    var text: String { String(decoding: self, as: UTF8.self) }
}
