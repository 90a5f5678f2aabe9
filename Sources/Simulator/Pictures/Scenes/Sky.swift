/// A scene, settled by its seed: a nebula, a spiral galaxy, or the Milky Way above mountains.
struct Sky {
    private let seed: UInt64

    init(seed: UInt64) { self.seed = seed }

    func painted(width: Int, height: Int) -> Canvas {
        var random = SplitMix64(seed: seed)
        var canvas = Canvas(width: width, height: height)
        // A few numbers are drawn and dropped: neighbouring seeds begin alike.
        for _ in 0..<4 { _ = random.next() }
        switch random.next() % 5 {
        case 0, 1: Nebula(&random).paint(&canvas, &random)
        case 2, 3: Galaxy(&random).paint(&canvas, &random)
        default: MountainNight(&random).paint(&canvas, &random)
        }
        return canvas
    }
}
