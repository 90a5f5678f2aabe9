import Glibc
import MediaFormat
import PictureSamples
import Testing

@testable import ThumbnailRenderer

@Suite(.timeLimit(.minutes(10))) struct DownsamplerTests {
    @Test func aUniformPictureStaysUniform() {
        let size = PixelSize(width: 700, height: 300)
        let even = PixelBuffer(size, bytes: Array(repeating: 77, count: 700 * 300 * 3))

        let small = even.reduced(to: PixelSize(width: 512, height: 219))

        #expect(small.bytes.allSatisfy { $0 == 77 })
    }

    /// A low frequency is preserved in the small picture.
    @Test(arguments: [600, 1024, 1700, 3000])
    func aLowFrequencyIsPreserved(_ width: Int) {
        func light(_ place: Double) -> UInt8 { UInt8(128 + 100 * sin(place * 40 * .pi)) }
        let row = (0..<width).flatMap { column -> [UInt8] in
            let light = light((Double(column) + 0.5) / Double(width))
            return [light, light, 255 - light]
        }
        let pixels = PixelBuffer(
            PixelSize(width: width, height: 8), bytes: (0..<8).flatMap { _ in row })

        let small = pixels.reduced(to: PixelSize(width: 512, height: 2))

        let errors = (10..<500).map { column in
            let expected = light((Double(column) + 0.5) / 512)
            return abs(Int(small.color(column, 0).x) - Int(expected))
        }
        #expect(errors.max() ?? .max <= 5)
    }

    @Test func aFrequencyAboveTheLimitBecomesGray() {
        // Alternating black and white, finer than the small picture.
        let row = (0..<2000).flatMap { column in
            [UInt8](repeating: column % 2 == 0 ? 0 : 254, count: 3)
        }
        let pixels = PixelBuffer(PixelSize(width: 2000, height: 4), bytes: row + row + row + row)

        let small = pixels.reduced(to: PixelSize(width: 512, height: 1))

        #expect((10..<500).allSatisfy { isAlike(small.color($0, 0), .init(127, 127, 127)) })
    }

    @Test func anAreaBecomesItsMean() {
        let lights: [UInt8] = (0..<5).flatMap { row in
            (0..<5).flatMap { [UInt8](repeating: UInt8(row * 10 + $0), count: 3) }
        }
        let pixels = PixelBuffer(PixelSize(width: 5, height: 5), bytes: lights)

        let small = pixels.reduced(to: PixelSize(width: 3, height: 3))

        // Of 0, 1, 10 and 11, the area has all of the first, and two thirds of the second row and column.
        let means: [UInt8] = [4, 6, 8, 20, 22, 24, 36, 38, 40]
        #expect((0..<9).map { small.bytes[$0 * 3] } == means)
    }
}
