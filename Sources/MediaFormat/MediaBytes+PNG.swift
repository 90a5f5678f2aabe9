/// Reads the chunks of a PNG.
extension MediaBytes {
    /// The layout of a PNG, by the chunks before its pixels; see PNG 11.2.2.
    func pngLayout() -> MediaLayout? {
        // The first chunk, IHDR, begins with the size. The signature and the head of the chunk, with 8 bytes each, come before.
        var layout = MediaLayout(width: big32(16), height: big32(20))
        for chunk in pngChunks(limit: Self.maximumParts) {
            switch chunk.name {
            case "IDAT": return layout
            case "eXIf": layout?.orientation = Orientation(exif: chunk.contents) ?? .upright
            case "acTL": layout?.isAnimated = true
            default: break
            }
        }
        return layout
    }

    /// Whether the last chunk is there, and no chunk is cut off; see PNG 11.2.5.
    func isWholePNG() -> Bool {
        // Enough for 2 GiB in chunks of 2 KiB; a hostile file may have more.
        for chunk in pngChunks(limit: 1_000_000) {
            guard chunk.isWhole else { return false }
            if chunk.name == "IEND" { return true }
        }
        return false
    }

    /// The chunks of the file, at most `limit`; eight bytes that all PNG files have come before them.
    private func pngChunks(limit: Int) -> MediaChunks {
        MediaChunks(.png, in: part(from: 8), limit: limit)
    }
}
