/// Reads files that consist of boxes: AVIF and HEIC, which are HEIF, and MP4 and QuickTime; see ISO 14496-12.
extension MediaBytes {
    /// The layout of an AVIF or HEIC: the largest size of its `ispe` boxes, turned by its `irot` box.
    ///
    /// Smaller sizes are those of tiles and thumbnails. The boxes (ImageSpatialExtents and ImageRotation) are in ipco, in
    /// iprp, in meta; see ISO 23008-12, sections 6.5.3 and 6.5.10.
    func heifLayout() -> MediaLayout? {
        // A version and flags, four bytes, are at the start of meta and ispe. In ispe, width and height follow.
        let meta = contents(ofBox: "meta")?.part(from: 4)
        guard let properties = meta?.contents(ofBox: "iprp")?.contents(ofBox: "ipco") else {
            return nil
        }
        let sizes = properties.boxes.filter { $0.name == "ispe" }.map(\.contents)
        let layouts = sizes.compactMap { MediaLayout(width: $0.big32(4), height: $0.big32(8)) }
        var largest = layouts.max { $0.size.pixelCount < $1.size.pixelCount }
        let quarterTurns = properties.contents(ofBox: "irot")?.byte(0) ?? 0
        // An odd number exchanges width and height. The direction does not matter, because nothing decodes these formats.
        if quarterTurns & 1 == 1 { largest?.orientation = .onRightSide }
        return largest
    }

    /// Whether there is a `moov` box, without which no program plays a video; see section 8.2.1.
    var hasMovie: Bool { boxes.contains { $0.name == "moov" } }

    /// Whether no box with pictures or video is cut off.
    ///
    /// A file that was cut off between two boxes, or in the head of a box, counts as whole: no box announces the next one.
    func hasWholeBoxes() -> Bool {
        // Enough for a video of 14 hours in fragments, which have two boxes a second. A hostile file may have more.
        let maximumBoxes = 100_000
        let boxes = MediaChunks(.boxes, in: self, limit: maximumBoxes &+ 1)
        for (index, box) in boxes.enumerated() {
            guard index < maximumBoxes else { return false }
            if !box.isWhole { return !["moov", "mdat", "meta", "moof"].contains(box.name) }
        }
        return true
    }

    /// The contents of the first box of this name; `nil` if there is none.
    private func contents(ofBox name: String) -> MediaBytes? {
        boxes.first { $0.name == name }?.contents
    }

    /// The boxes in these bytes, at most a thousand, which no real picture has on one level.
    private var boxes: MediaChunks { MediaChunks(.boxes, in: self, limit: 1_000) }
}
