import PictureSamples
import Testing

@testable import ThumbnailRenderer

/// The pixels are not converted, so that the profile must stay.
@Suite(.timeLimit(.minutes(10))) struct ColourProfileTests {
    private static let chart = Chart(96, 64)

    /// A profile of so many bytes for a colour space, as far as anything reads it; see ICC.1, section 7.2.
    private static func profile(_ space: String = "RGB ", _ count: Int = 548) -> [UInt8] {
        var head = [UInt8](repeating: 0, count: 128)
        head.replaceSubrange(0..<4, with: [0, 0, UInt8(count >> 8 & 0xff), UInt8(count & 0xff)])
        head.replaceSubrange(12..<20, with: Array("mntr\(space)".utf8))
        head.replaceSubrange(36..<40, with: Array("acsp".utf8))
        return head + [UInt8](repeating: 7, count: count - 128)
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

    private func hasProfile(_ thumbnail: [UInt8]) -> Bool {
        let segment = Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + Self.profile()
        return thumbnail.firstRange(of: segment) != nil
    }

    static let kept: [[UInt8]] = [
        profiled(chart.jpeg(), profile()), profiled(chart.jpeg(), profile(), parts: 3),
        chart.png(.truecolour, profile: profile()),
        chart.png(.palette, profile: profile()),
        ExifData.inserted(profile: profile(), intoWebP: chart.webp()),
    ]

    @Test(arguments: kept.indices) func aProfileOfRGBIsKept(_ index: Int) throws {
        #expect(hasProfile(try thumbnail(of: Self.kept[index])))
    }

    static let dropped: [[UInt8]] = [
        chart.jpeg(), profiled(chart.jpeg(.fourInks), profile("CMYK")),
        profiled(chart.jpeg(.fourInks), profile()), profiled(chart.jpeg(.grey), profile("GRAY")),
        profiled(chart.jpeg(.grey), profile()), profiled(chart.jpeg(), [1, 2, 3]),
        profiled(chart.jpeg(), profile("RGB ", 70_000), parts: 2),
        chart.png(.truecolour, profile: profile("RGB ", 70_000)),
        chart.png(.grey, profile: profile("GRAY")),
    ]

    @Test(arguments: dropped.indices) func noOtherProfileIsKept(_ index: Int) throws {
        #expect(try thumbnail(of: Self.dropped[index]).firstRange(of: "ICC_PROFILE".utf8) == nil)
    }
}
