import PictureSamples
import Testing

@testable import ThumbnailRenderer

/// The pixels are not converted, so that the profile must stay.
@Suite(.timeLimit(.minutes(10))) struct ColorProfileTests {
    private static let chart = Chart(96, 64)

    /// A profile of so many bytes for a color space, as far as anything reads it; see ICC.1, section 7.2.
    private static func profile(_ space: String = "RGB ", _ count: Int = 548) -> [UInt8] {
        var head = [UInt8](repeating: 0, count: 128)
        let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
        head.replaceSubrange(0..<4, with: length)
        head.replaceSubrange(12..<20, with: Array("mntr\(space)".utf8))
        head.replaceSubrange(36..<40, with: Array("acsp".utf8))
        return head + (128..<count).map { UInt8(truncatingIfNeeded: ($0 * 7) >> 4) }
    }

    /// `jpeg` with `profile` in so many segments.
    private static func profiled(_ jpeg: [UInt8], _ profile: [UInt8], parts: Int = 1) -> [UInt8] {
        let length = (profile.count + parts - 1) / parts
        // Each is inserted before the earlier ones.
        return (0..<parts).reversed().reduce(jpeg) { file, part in
            let bytes = profile[part * length..<min((part + 1) * length, profile.count)]
            let head = Array("ICC_PROFILE\0".utf8) + [UInt8(part + 1), UInt8(parts)]
            return inserting(0xe2, head + bytes, into: file)
        }
    }

    /// `jpeg` without the first segment, which has a part of a profile.
    private static func withoutPart(_ jpeg: [UInt8]) -> [UInt8] {
        let end = 4 + Int(jpeg[4]) << 8 + Int(jpeg[5])
        return Array(jpeg[..<2] + jpeg[end...])
    }

    private func hasProfile(_ thumbnail: [UInt8]) -> Bool {
        let segment = Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + Self.profile()
        return thumbnail.firstRange(of: segment) != nil
    }

    static let kept: [[UInt8]] = [
        profiled(chart.jpeg(), profile()), profiled(chart.jpeg(), profile(), parts: 3),
        chart.png(.truecolor, profile: profile()),
        chart.png(.palette, profile: profile()),
        ExifData.inserted(profile: profile(), intoWebP: chart.webp()),
    ]

    @Test(arguments: kept.indices) func aProfileOfRGBIsKept(_ index: Int) throws {
        #expect(hasProfile(try thumbnail(of: Self.kept[index])))
    }

    /// 200,000 bytes, which no segment has room for.
    static let long: [[UInt8]] = {
        let profile = Self.profile("RGB ", 200_000)
        return [
            profiled(chart.jpeg(), profile, parts: 5), chart.png(.truecolor, profile: profile),
            ExifData.inserted(profile: profile, intoWebP: chart.webp()),
        ]
    }()

    @Test(arguments: long.indices) func aLongProfileIsInNumberedSegments(_ index: Int) throws {
        let jpeg = try thumbnail(of: Self.long[index])

        let parts = Self.profileSegments(of: jpeg)
        for (number, part) in zip(1..., parts) {
            #expect(part.starts(with: Array("ICC_PROFILE\0".utf8) + [UInt8(number), 4]))
        }
        #expect(parts.count == 4)
        #expect(Array(parts.map { $0.dropFirst(14) }.joined()) == Self.profile("RGB ", 200_000))
        #expect(try header(of: jpeg).profile == Self.profile("RGB ", 200_000))
        #expect(try areAlike(fields(of: jpeg), Chart.fields))
    }

    @Test func partsInAnotherOrderAreJoinedByTheirNumbers() throws {
        let profile = Self.profile()
        let parts = [profile[300...], profile[..<300]]
        // Each is inserted before the earlier one.
        let picture = zip([2, 1] as [UInt8], parts).reversed().reduce(Self.chart.jpeg()) {
            file, part in
            inserting(0xe2, Array("ICC_PROFILE\0".utf8) + [part.0, 2] + part.1, into: file)
        }

        #expect(hasProfile(try thumbnail(of: picture)))
    }

    /// The contents of the segments APP2 before the first scan; see ITU-T T.81, B.1.1.4.
    private static func profileSegments(of jpeg: [UInt8]) -> [ArraySlice<UInt8>] {
        var found: [ArraySlice<UInt8>] = []
        var offset = 2
        while offset + 4 <= jpeg.count, jpeg[offset + 1] != 0xda {
            let end = offset + 2 + Int(jpeg[offset + 2]) << 8 + Int(jpeg[offset + 3])
            guard end <= jpeg.count else { break }
            if jpeg[offset + 1] == 0xe2 { found.append(jpeg[offset + 4..<end]) }
            offset = end
        }
        return found
    }

    static let dropped: [[UInt8]] = [
        chart.jpeg(), profiled(chart.jpeg(.fourInks), profile("CMYK")),
        profiled(chart.jpeg(.fourInks), profile()), profiled(chart.jpeg(.gray), profile("GRAY")),
        profiled(chart.jpeg(.gray), profile()), profiled(chart.jpeg(), [1, 2, 3]),
        profiled(chart.jpeg(), profile("RGB ", 1_100_000), parts: 20),
        chart.png(.truecolor, profile: profile("RGB ", 1_100_000)),
        withoutPart(profiled(chart.jpeg(), profile(), parts: 3)),
        chart.png(.gray, profile: profile("GRAY")),
    ]

    @Test(arguments: dropped.indices) func noOtherProfileIsKept(_ index: Int) throws {
        #expect(try thumbnail(of: Self.dropped[index]).firstRange(of: "ICC_PROFILE".utf8) == nil)
    }
}
