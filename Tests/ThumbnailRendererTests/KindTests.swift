import MediaFormat
import PictureSamples
import Testing

@testable import ThumbnailRenderer

/// Thumbnails of all file types are equal.
@Suite(.timeLimit(.minutes(10))) struct KindTests {
    private let chart = Chart(96, 64)
    private let black = Chart.Color(0, 0, 0)

    private var grays: [Chart.Color] { Chart.grays.map { Chart.Color($0, $0, $0) } }

    @Test(arguments: Chart.Kind.allCases)
    func aJPEGIsRenderedCorrectly(_ kind: Chart.Kind) throws {
        let seen = try fields(of: thumbnail(of: chart.jpeg(kind)))

        #expect(areAlike(seen, kind == .gray ? grays : Chart.fields))
    }

    @Test func fourInksWithoutAMarkerAreNotNegative() throws {
        let file = Chart(96, 64).jpeg(.fourInks)
        let marker = try #require(file.indices.first { file[$0...].starts(with: [0xff, 0xee]) })
        let bare = Array(file[..<marker] + file[(marker + 16)...])

        let seen = try fields(of: thumbnail(of: bare))

        // All black ink, which was none before.
        #expect(seen.allSatisfy { isAlike($0, black) })
    }

    @Test(arguments: Chart.Samples.allCases, [false, true])
    func aPNGIsRenderedCorrectly(_ samples: Chart.Samples, _ isInterlaced: Bool) throws {
        let seen = try fields(of: thumbnail(of: chart.png(samples, isInterlaced: isInterlaced)))

        let expected = samples.isGray ? grays : Chart.fields
        #expect(areAlike(seen, samples.hasOpacity ? Array(expected[..<3]) + [black] : expected))
    }

    /// Of more than one frame, the first.
    @Test(arguments: [false, true], [1, 3])
    func aGIFIsRenderedCorrectly(_ isInterlaced: Bool, _ frames: Int) throws {
        let file = chart.gif(isInterlaced: isInterlaced, frames: frames)

        #expect(try areAlike(fields(of: thumbnail(of: file)), Chart.fields))
    }

    @Test func transparentPixelsOfAGIFAreBlack() throws {
        let seen = try fields(of: thumbnail(of: chart.gif(transparent: 1)))

        #expect(isAlike(seen[1], black))
        #expect(isAlike(seen[0], Chart.fields[0]))
    }

    @Test(arguments: Chart.EmptyFrame.allCases)
    func theFrameAfterAnEmptyOneIsShown(kind: Chart.EmptyFrame) throws {
        let file = Chart.withEmptyFrame(chart.gif(), kind)

        #expect(try areAlike(fields(of: thumbnail(of: file)), Chart.fields))
    }

    @Test func aGIFOfEmptyFramesAloneIsBlackOrRejected() throws {
        let head = chart.gif()[..<25] + [0x3b]
        let transparent = Chart.withEmptyFrame(Array(head), .transparent)
        let empty = Chart.withEmptyFrame(Array(head), .withoutPixels)

        #expect(try fields(of: thumbnail(of: transparent)).allSatisfy { isAlike($0, black) })
        #expect(throws: PictureError.damaged(format: "GIF", reason: "its frames are empty")) {
            try thumbnail(of: empty)
        }
    }

    @Test func bytesAfterTheStartOfAJPEGAreSkipped() throws {
        let file = chart.jpeg()

        let small = try thumbnail(of: file[..<2] + [0, 0] + file[2...])

        #expect(try areAlike(fields(of: small), Chart.fields))
    }

    @Test(arguments: [false, true])
    func aFrameSmallerThanItsGIFIsRenderedAtItsPosition(_ isInterlaced: Bool) throws {
        let file = chart.gif(isInterlaced: isInterlaced, offset: 32)
        let pixels = try decoded(thumbnail(of: file))

        #expect(pixels.size == PixelSize(width: 160, height: 128))
        #expect(isAlike(pixels.color(10, 64), black))
        #expect(isAlike(pixels.color(50, 50), Chart.fields[0]))
        #expect(isAlike(pixels.color(110, 80), Chart.fields[3]))
    }

    @Test(arguments: [false, true], [false, true])
    func aWebPIsRenderedCorrectly(_ isLossless: Bool, _ hasOpacity: Bool) throws {
        let file = chart.webp(isLossless: isLossless, hasOpacity: hasOpacity)
        let seen = try fields(of: thumbnail(of: file))

        let expected = hasOpacity ? Array(Chart.fields[..<3]) + [black] : Chart.fields
        #expect(areAlike(seen, expected))
    }

    @Test func theFirstFrameOfAnAnimatedWebPIsRendered() throws {
        let pixels = try decoded(thumbnail(of: Chart.movingWebP))

        #expect(pixels.size == PixelSize(width: 8, height: 4))
        #expect(isAlike(pixels.color(4, 2), Chart.Color(255, 0, 0)))
    }
}
