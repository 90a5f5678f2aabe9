import Testing

@testable import Simulator

@Suite(.timeLimit(.minutes(10))) struct DrawingTests {
    static let starts: [(Drawing.Format, start: [UInt8], end: [UInt8])] = [
        (.jpeg, [0xff, 0xd8, 0xff], [0xff, 0xd9]),
        (.png, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], [0xae, 0x42, 0x60, 0x82]),
        (.gif, Array("GIF87a".utf8) + [60, 0, 40, 0], [0x3b]),
    ]

    @Test(arguments: starts)
    func filesAreOfTheirFormat(format: Drawing.Format, start: [UInt8], end: [UInt8]) {
        let file = Drawing(seed: 1, width: 60, height: 40, format: format).encoded()

        #expect(Array(file.prefix(start.count)) == start)
        #expect(Array(file.suffix(end.count)) == end)
    }

    @Test(arguments: Drawing.Format.allCases)
    func theSameSeedIsTheSameFile(format: Drawing.Format) {
        let drawing = Drawing(seed: 5, width: 48, height: 32, format: format)
        var other = drawing
        other.seed = 6

        #expect(drawing.encoded() == drawing.encoded())
        #expect(drawing.encoded() != other.encoded())
    }

    @Test func everyDrawingHasDarkAndBrightPixels() {
        for seed in UInt64(1)...8 {
            let bytes = Drawing(seed: seed, width: 60, height: 40).painted().developed()

            #expect((bytes.max() ?? 0) > 120)
            #expect((bytes.min() ?? 255) < 40)
        }
    }

    @Test func aSmallerCopyShowsTheSameSky() {
        let large = Self.averages(4, 96, 64)
        let small = Self.averages(4, 48, 32)
        let other = Self.averages(5, 48, 32)

        func distance(_ one: [Float], _ two: [Float]) -> Float {
            zip(one, two).reduce(0) { $0 + abs($1.0 - $1.1) }
        }

        #expect(distance(large, small) * 3 < distance(large, other))
    }

    /// The mean brightness of the fields of a drawing.
    private static func averages(_ seed: UInt64, _ width: Int, _ height: Int) -> [Float] {
        Drawing(seed: seed, width: width, height: height).painted().averaged(columns: 6, rows: 4)
    }

    @Test(arguments: [
        (60, 40, 30, 400, 30, 20), (60, 40, 600, 400, 60, 40), (60, 40, 1, 1, 1, 1),
    ])
    func fittingKeepsTheShape(
        width: Int, height: Int, toWidth: Int, toHeight: Int, newWidth: Int, newHeight: Int
    ) {
        let drawing = Drawing(seed: 1, width: width, height: height)
            .fitting(width: toWidth, height: toHeight)

        #expect(drawing.width == newWidth && drawing.height == newHeight)
    }
}

extension Canvas {
    /// The mean brightness of each field of a grid.
    fileprivate func averaged(columns: Int, rows: Int) -> [Float] {
        var sums = [Float](repeating: 0, count: columns * rows)
        for row in 0..<height {
            for column in 0..<width {
                let field = row * rows / height * columns + column * columns / width
                sums[field] += pixels[row * width + column].sum()
            }
        }
        return sums.map { $0 / Float(width * height) }
    }
}
