internal import Glibc

/// A spiral galaxy: an old yellow heart, young blue arms, lanes of dust and pink knots.
struct Galaxy {
    private let noise: Noise
    private let centre: SIMD2<Float>
    private let size: Float
    private let tilt: Float
    private let turn: Float
    private let arms: Float
    private let winding: Float

    init(_ random: inout SplitMix64) {
        noise = Noise(seed: random.next())
        centre = SIMD2(random.float(-0.25...0.25), random.float(-0.12...0.12))
        size = random.float(0.75...1.15)
        tilt = random.float(0.38...0.95)
        turn = random.float(0...Float.pi)
        arms = random.float() < 0.75 ? 2 : 3
        winding = random.float(2.6...4.2) * (random.float() < 0.5 ? 1 : -1)
    }

    func paint(_ canvas: inout Canvas, _ random: inout SplitMix64) {
        canvas.shade { point, _ in SIMD3(0.009, 0.009, 0.015) + 0.002 * (1 - point.y) }
        Overlay(over: canvas, light).cover(&canvas)
        paintNeighbours(&canvas, &random)
        Stars(count: 650, brightest: 2).paint(&canvas, &random)
    }

    private func light(_ point: SIMD2<Float>) -> SIMD4<Float> {
        let away = (point - centre) / size
        let along = away.x * cosf(turn) + away.y * sinf(turn)
        let across = (away.y * cosf(turn) - away.x * sinf(turn)) / tilt
        let radius = (along * along + across * across).squareRoot() + 0.0001
        let ripple = noise.cloud(SIMD2(along, across) * 4.5) - 0.5
        let phase =
            atan2f(across, along) * arms - winding * arms * logf(radius + 0.06) + ripple * 2.6
        let arm = powf(0.5 + 0.5 * cosf(phase), 2.2)
        let lane = powf(0.5 + 0.5 * cosf(phase + 0.95), 7) * smoothstep(0.06, 0.2, radius)
        let clumps = noise.cloud(SIMD2(along, across) * 9 + 31)
        let disc = expf(-radius * 3.4)
        let old =
            SIMD3<Float>(1.0, 0.80, 0.52)
            * (1.5 * expf(-radius * radius * 130) + 0.75 * expf(-radius * 9))
        let young = SIMD3<Float>(0.50, 0.66, 1.0) * (arm * (0.25 + 1.9 * clumps * clumps))
        let haze = SIMD3<Float>(0.62, 0.58, 0.60) * 0.30
        let knots =
            SIMD3<Float>(1.0, 0.36, 0.48)
            * (arm * smoothstep(0.62, 0.72, noise.cloud(SIMD2(along, across) * 17 + 60, octaves: 3)))
        let reach = smoothstep(0.05, 0.22, radius)
        let light = (young * reach + haze + knots * reach) * (disc * 1.7) + old
        let clear = 1 - 0.62 * lane * smoothstep(0.3, 0.6, clumps + 0.1)
        let halo = SIMD3<Float>(0.5, 0.5, 0.6) * (0.03 * expf(-radius * 1.8))
        return SIMD4(light * clear + halo, 1)
    }

    /// Small companions far away.
    private func paintNeighbours(_ canvas: inout Canvas, _ random: inout SplitMix64) {
        for _ in 0..<14 {
            let point = SIMD2(random.float(-1.5...1.5), random.float(-1...1))
            let warm = SIMD3<Float>(1, random.float(0.7...0.95), random.float(0.5...0.95))
            let size = random.float(0.006...0.02)
            let lean = SIMD2(random.float(-1...1), random.float(-1...1)) * size * 0.5
            for step in -3...3 {
                canvas.glow(at: point + lean * Float(step) / 3, radius: size, warm * 0.07)
            }
        }
    }
}
