internal import MediaFormat

/// The color profile of a picture, which its thumbnail gets, too, because the colors of its pixels are not converted.
///
/// A JPEG has the profile in one or more segments, each with a name, its number from 1 on, the number of segments, and a part
/// of the profile; see ICC.1, annex B.4.
enum ColorProfile {
    /// The most bytes of a profile that is kept; `ThumbnailerLimits.outputSize` has room for them.
    ///
    /// Profiles of cameras and screens have a few kilobytes, profiles with tables some hundred kilobytes.
    static let maximumLength = 1 << 20

    private static let segmentName: StaticString = "ICC_PROFILE\0"
    private static let segmentNameBytes = Array(segmentName.description.utf8)
    /// How many bytes of a profile fit into a segment, beside its length, its name and two numbers.
    private static let maximumPartLength = 0xffff - 2 - segmentNameBytes.count - 2

    /// The segments for a JPEG with `profile`; empty if the profile is too long, or not of RGB pixels.
    static func segments(of profile: [UInt8]) -> [UInt8] {
        // The header of a profile has the color space at offset 16; see ICC.1, section 7.2.
        let headerLength = 128
        guard headerLength...maximumLength ~= profile.count,
            profile[16..<20].elementsEqual("RGB ".utf8)
        else { return [] }
        let partCount = (profile.count + maximumPartLength - 1) / maximumPartLength
        return (0..<partCount).flatMap { index in
            let part = profile.dropFirst(index * maximumPartLength).prefix(maximumPartLength)
            let numbers = [UInt8(index + 1), UInt8(partCount)]
            let markerAPP2: UInt8 = 0xe2
            return JPEGEncoder.segment(markerAPP2, segmentNameBytes + numbers + part)
        }
    }

    /// The parts of a profile in the segments of a JPEG, which may be in any order.
    struct Parts {
        /// The parts by their numbers.
        private var parts: [Int: MediaBytes] = [:]
        /// The number of parts, according to the segment that was added last.
        private var expectedCount = 0

        /// Adds the part in the contents of a segment APP2, if it has one.
        mutating func add(_ contents: MediaBytes) {
            let nameLength = segmentNameBytes.count
            guard contents.begins(with: segmentName), let number = contents.byte(nameLength),
                let count = contents.byte(nameLength + 1),
                let part = contents.part(from: nameLength + 2)
            else { return }
            parts[Int(number)] = part
            expectedCount = Int(count)
        }

        /// The profile; empty if a part is missing.
        var joined: [UInt8] {
            let found = (0..<expectedCount).compactMap { parts[$0 + 1] }
            guard found.count == expectedCount else { return [] }
            return found.flatMap { $0.prefix($0.count) }
        }
    }
}
