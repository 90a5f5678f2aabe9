internal import MediaFormat

/// The color profile of a picture, which the JPEG that is made of it keeps: its pixels are not converted.
///
/// A JPEG has it in one or more segments, each of which has a name, its number from 1 on, the number of all, and a
/// part; see ICC.1, annex B.4.
enum ColorProfile {
    /// The most bytes of a profile that is kept.
    ///
    /// Profiles of cameras and screens have a few kilobytes, those with tables some hundreds; `ThumbnailerLimits.file`,
    /// the limit for what the thumbnailer makes, has room for so many.
    static let maximumLength = 1 << 20

    /// How the contents of a segment with a part of a profile begin.
    private static let segmentName: StaticString = "ICC_PROFILE\0"
    private static let segmentNameBytes = Array(segmentName.description.utf8)
    /// The bytes of a profile for which a segment has room beside its length, name and two numbers.
    private static let maximumPartLength = 0xffff - 2 - segmentNameBytes.count - 2

    /// The segments of a JPEG with `profile`; empty unless that is one of RGB pixels of at most ``maximumLength``.
    static func segments(_ profile: [UInt8]) -> [UInt8] {
        // The head has 128 bytes, with the color space at 16; see ICC.1, section 7.2.
        guard 128...maximumLength ~= profile.count, profile[16..<20].elementsEqual("RGB ".utf8)
        else {
            return []
        }
        let partCount = (profile.count + maximumPartLength - 1) / maximumPartLength
        return (0..<partCount).flatMap { index in
            let part = profile.dropFirst(index * maximumPartLength).prefix(maximumPartLength)
            let numbers = [UInt8(index + 1), UInt8(partCount)]
            return JPEGEncoder.segment(0xe2, segmentNameBytes + numbers + part)
        }
    }

    /// The parts of a profile in the segments of a JPEG, which may be in any order.
    struct Parts {
        /// The parts that were found, by their numbers.
        private var parts: [Int: MediaBytes] = [:]
        /// How many parts the last segment says that there are.
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
