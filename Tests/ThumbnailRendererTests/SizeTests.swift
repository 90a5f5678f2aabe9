import MediaFormat
import PictureSamples
import Testing

@testable import ThumbnailRenderer

@Suite(.timeLimit(.minutes(10))) struct SizeTests {
    @Test(
        arguments: [
            ((512, 512), (512, 512)), ((513, 20), (512, 20)), ((100, 50), (100, 50)),
            ((1, 1), (1, 1)),
            ((1600, 1200), (512, 384)), ((700, 1400), (256, 512)), ((3000, 2), (512, 1)),
            ((3, 4100), (1, 512)), ((1537, 1023), (512, 341)),
        ] as [((Int, Int), (Int, Int))])
    func theLongSideBecomes512AndNothingIsEnlarged(
        _ original: (Int, Int), _ expected: (Int, Int)
    ) throws {
        let size = PixelSize(width: expected.0, height: expected.1)
        let chart = Chart(original.0, original.1)

        #expect(try decoded(thumbnail(of: chart.jpeg())).size == size)
        #expect(try decoded(thumbnail(of: chart.png(.truecolor))).size == size)
        #expect(try decoded(thumbnail(of: chart.gif())).size == size)
        #expect(try decoded(thumbnail(of: chart.webp(isLossless: true))).size == size)
    }

    @Test func aLargePictureIsScaledCorrectly() throws {
        let chart = Chart(2400, 1700)

        #expect(try areAlike(fields(of: thumbnail(of: chart.jpeg())), Chart.fields))
        #expect(try areAlike(fields(of: thumbnail(of: chart.png(.palette))), Chart.fields))
        #expect(try areAlike(fields(of: thumbnail(of: chart.gif())), Chart.fields))
        #expect(try areAlike(fields(of: thumbnail(of: chart.webp())), Chart.fields))
    }

    @Test func theThumbnailContainsTheComment() throws {
        let file = try thumbnail(of: Chart(8, 8).jpeg())

        #expect(Array(file[20..<24]) == [0xff, 0xfe, 0, 8])
        #expect(Array(file[24..<30]) == Array("a test".utf8))
    }
}
