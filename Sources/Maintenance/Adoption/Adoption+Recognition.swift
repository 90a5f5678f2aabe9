internal import APOD
internal import MediaFormat
internal import Mirror
internal import Platform

/// Which day a file belongs to, and which files are no pictures of a day.
extension Adoption {
    /// Recognizes the day of the picture at `path`; returns `nil` if it was rejected, and reports why.
    ///
    /// It is the day that the name begins with, unless the name is that of a placeholder or of a camera's photo; else
    /// the day whose record has the hash of the file, which is known then.
    func recognizeDay(
        of path: [UInt8], _ file: borrowing FileDescriptor, size: Int
    ) throws(SystemError) -> (day: Day, isKnown: Bool)? {
        let text = Self.text(path)
        guard !Placeholder.isName(text) else {
            reject(path, "NASA's placeholder")
            return nil
        }
        if let day = NamedDay.day(in: path), isPlausible(day) { return (day, false) }
        if let day = try index.day(withContentsOf: file, size: size, path: text) {
            return (day, true)
        }
        reject(
            path,
            "its name does not begin with a day of APOD alone, and no record has its bytes; rename it to the day, a"
                + " blank and a title")
        return nil
    }

    /// Whether a file or directory has the name of a hidden one or of thumbnails, such as `@eaDir` of Synology's NAS.
    @Sendable static func isIgnored(_ name: ArraySlice<UInt8>) -> Bool {
        let name = String(decoding: name, as: UTF8.self)
        return name.hasPrefix(".") || name == "@eaDir" || name.lowercased().hasPrefix("thumb")
    }

    /// Whether the name of a file is that of a thumbnail or of a small rendition.
    static func isThumbnail(_ path: [UInt8]) -> Bool {
        let name = Layout.split(text(path)).name.lowercased()
        let stem = name.splitAtLastDot?.stem ?? name[...]
        return ["_thumb", "-thumb", "_small"].contains { stem.hasSuffix($0) }
    }

    /// The extensions of pictures and videos, also of types that the mirror does not have: such a file is reported.
    private static let mediaExtensions: Set = [
        "jpg", "jpeg", "jpe", "png", "gif", "webp", "tif", "tiff", "avif", "heic", "mp4",
    ]

    /// Whether the name of a file is that of a picture or video, or has no extension.
    static func mayBeMedia(_ path: [UInt8]) -> Bool {
        guard let ending = Layout.split(text(path)).name.splitAtLastDot?.ending else { return true }
        return mediaExtensions.contains(ending.dropFirst().lowercased())
    }
}
