/// Reads the tags of a TIFF, which say what the picture is; see TIFF 6.0. Exif data, as in a JPEG, have the same format.
extension MediaBytes {
    /// The layout of a TIFF by its tags; see section 8.
    func tiffLayout() -> MediaLayout? {
        let (widthTag, heightTag) = (256, 257)
        let tags = tiffTags([widthTag, heightTag, Orientation.tag])
        let orientation = tags[Orientation.tag].flatMap(Orientation.init)
        return MediaLayout(width: tags[widthTag], height: tags[heightTag], orientation)
    }

    /// Reads the numbers with these `tags` in the first directory of TIFF data: `[256: 1024, 257: 768]`, for example.
    ///
    /// The directory may be anywhere. Lists, and numbers of neither two nor four bytes, are left out. See section 2.
    func tiffTags(_ tags: Set<Int>) -> [Int: Int] {
        let isBigEndian = begins(with: "MM")
        func number(at offset: Int, bytes length: Int, in bytes: MediaBytes) -> Int? {
            bytes.integer(at: offset, bytes: length, isBigEndian: isBigEndian)
        }
        // A TIFF begins with the order of bytes, the number 42, and the offset of the directory.
        guard isBigEndian || begins(with: "II"), number(at: 2, bytes: 2, in: self) == 42,
            let start = number(at: 4, bytes: 4, in: self), let directory = part(from: start),
            let entryCount = number(at: 0, bytes: 2, in: directory)
        else { return [:] }
        // The types SHORT and LONG.
        let lengthsOfTypes = [3: 2, 4: 4]
        var values: [Int: Int] = [:]
        // After the count of entries, each entry of twelve bytes has a tag, a type, the count of its numbers, and a number or
        // the place of a list.
        for place in stride(from: 2, to: entryCount &* 12 &+ 2, by: 12) {
            guard let entry = directory.part(from: place),
                let tag = number(at: 0, bytes: 2, in: entry),
                let type = number(at: 2, bytes: 2, in: entry)
            else { break }
            let isSingle = number(at: 4, bytes: 4, in: entry) == 1
            if tags.contains(tag), values[tag] == nil, isSingle, let length = lengthsOfTypes[type] {
                values[tag] = number(at: 8, bytes: length, in: entry)
            }
        }
        return values
    }
}

extension Orientation {
    /// The number of the tag Orientation in Exif and TIFF.
    static let tag = 274

    /// Reads the orientation in Exif data; `nil` if it is missing or invalid.
    init?(exif data: MediaBytes) {
        // Exif data are a TIFF without a picture.
        guard let value = data.tiffTags([Self.tag])[Self.tag] else { return nil }
        self.init(rawValue: value)
    }
}
