internal import MediaFormat

/// The colour profile of a picture, which the JPEG that is made of it keeps: its pixels are not converted.
///
/// A JPEG has it in one or more segments, each of which has a name, its number from 1 on, the number of all, and a part;
/// see ICC.1, annex B.4.
enum ColourProfile {
    /// Profiles of cameras and screens have a few kilobytes, those with tables some hundreds; the limit of the sandbox
    /// for what it makes has room for it.
    static let maximumLength = 1 << 20

    private static let name = Array("ICC_PROFILE\0".utf8)
    /// What a segment has room for beside its length, name and two numbers.
    private static let maximumPart = 0xffff - 2 - name.count - 2

    /// The segments of a JPEG with `profile`; empty unless that is one of RGB pixels of at most ``maximumLength``.
    static func segments(_ profile: [UInt8]) -> [UInt8] {
        // The head has 128 bytes, with the colour space at 16; see ICC.1, section 7.2.
        guard 128...maximumLength ~= profile.count, profile[16..<20].elementsEqual("RGB ".utf8)
        else {
            return []
        }
        let count = (profile.count + maximumPart - 1) / maximumPart
        return (0..<count).flatMap { index in
            let part = profile.dropFirst(index * maximumPart).prefix(maximumPart)
            return JPEGEncoder.segment(0xe2, name + [UInt8(index + 1), UInt8(count)] + part)
        }
    }

    /// The parts of a profile in the segments of a JPEG, which may be in any order.
    struct Parts {
        private var contents: [Int: Range<Int>] = [:]
        private var count = 0

        /// Adds the part in the contents of a segment APP2, if it has one.
        mutating func add(_ segment: Range<Int>, of bytes: MediaBytes) {
            let numbers = segment.lowerBound + name.count
            guard bytes.holds("ICC_PROFILE\0", at: segment.lowerBound),
                let number = bytes.byte(numbers), let total = bytes.byte(numbers + 1),
                numbers + 2 <= segment.upperBound
            else { return }
            contents[Int(number)] = numbers + 2..<segment.upperBound
            count = Int(total)
        }

        /// The profile; empty if a part is missing.
        func joined(of bytes: MediaBytes) -> [UInt8] {
            let parts = (0..<count).compactMap { contents[$0 + 1] }
            guard parts.count == count else { return [] }
            return parts.flatMap { bytes.bytes(in: $0) }
        }
    }
}
