/// The colour profile of a picture, which the JPEG that is made of it keeps: its pixels are not converted.
enum ColourProfile {
    /// What one segment of a JPEG has room for.
    ///
    /// Profiles of cameras and screens have a few kilobytes, those of printers,
    /// which are for CMYK, more.
    static let maximumLength = 0xffff - 2 - start.count

    /// The name of the segment, then the number of this part, 1, and of all parts; see ICC.1, annex B.4.
    private static let start = Array("ICC_PROFILE\0\u{1}\u{1}".utf8)

    /// The segment of a JPEG with `profile`; empty unless that is one of RGB pixels and fits into the segment.
    static func segment(_ profile: [UInt8]) -> [UInt8] {
        // The head has 128 bytes, with the colour space at 16; see ICC.1, section 7.2.
        guard 128...maximumLength ~= profile.count, profile[16..<20].elementsEqual("RGB ".utf8)
        else {
            return []
        }
        return JPEGEncoder.segment(0xe2, start + profile)
    }
}
