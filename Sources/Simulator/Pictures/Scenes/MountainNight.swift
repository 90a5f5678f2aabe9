internal import Glibc

/// The Milky Way above ranges of mountains, with the glow of the night at the horizon.
struct MountainNight {
    private let noise: Noise
    private let tilt: Float
    private let shift: Float
    private let horizon: Float
    private let afterglow: Canvas.Light

    init(_ random: inout SplitMix64) {
        noise = Noise(seed: random.next())
        tilt = random.float(0.7...1.6) * (random.float() < 0.5 ? 1 : -1)
        shift = random.float(-0.4...0.4)
        horizon = random.float(0.45...0.62)
        afterglow = random.pick([
            SIMD3(0.52, 0.26, 0.10), SIMD3(0.10, 0.38, 0.26), SIMD3(0.40, 0.18, 0.30),
        ])
    }

    func paint(_ canvas: inout Canvas, _ random: inout SplitMix64) {
        canvas.shade { point, _ in sky(point) }
        Stars(count: 1500, brightest: 1.4, haveSpikes: false).paint(&canvas, &random)
        Overlay(over: canvas, milkyWay).cover(&canvas)
        let (width, height) = (Float(canvas.width), Float(canvas.height))
        for range in 0..<3 {
            let ridge = ridge(range, across: canvas)
            let distance = Float(range) / 2
            let colour =
                (afterglow * 0.16 + SIMD3(0.02, 0.03, 0.06)) * (1 - distance)
                + SIMD3(0.004, 0.005, 0.008)
            canvas.shade { point, behind in
                let column = Int((point.x * height + width) / 2)
                let depth = (point.y - ridge[column]) * height / 2
                // A pixel on the ridge shows both.
                let share = min(max(depth + 0.5, 0), 1)
                return behind * (1 - share) + colour * share
            }
        }
    }

    private func sky(_ point: SIMD2<Float>) -> Canvas.Light {
        let low = smoothstep(-1, horizon, point.y)
        let night = SIMD3<Float>(0.008, 0.013, 0.032) + SIMD3(0.012, 0.026, 0.052) * low
        return night + afterglow * (0.55 * powf(low, 7) + 0.06 * powf(low, 2))
    }

    private func milkyWay(_ point: SIMD2<Float>) -> SIMD4<Float> {
        let bend = (noise.cloud(point * 1.4 + 9, octaves: 4) - 0.5) * 0.5
        let slant = (1 + tilt * tilt).squareRoot()
        let away = (point.x - shift - tilt * point.y) / slant + bend
        let along = (point.y + tilt * point.x) / slant
        let band = expf(-away * away * 9)
        let clumps = noise.cloud(SIMD2(away * 3.2, along * 2.2) + 4)
        let rift =
            smoothstep(0.46, 0.62, noise.cloud(SIMD2(away * 4.2, along * 2.4) + 50))
            * expf(-away * away * 38)
        let light = band * (0.05 + 0.55 * clumps * clumps) * (1 - 0.8 * rift)
        let heart = expf(-away * away * 30) * 0.10 * (1 - 0.85 * rift)
        let fade = 1 - smoothstep(horizon - 0.5, horizon + 0.25, point.y) * 0.75
        let colour = SIMD3<Float>(0.62, 0.66, 0.86) * light + SIMD3<Float>(0.95, 0.72, 0.48) * heart
        return SIMD4(colour * fade, 1 - 0.5 * rift * band)
    }

    /// The height of a range above each column.
    private func ridge(_ range: Int, across canvas: Canvas) -> [Float] {
        let base = horizon + Float(range) * 0.17
        let roughness = 1.5 + Float(range) * 0.8
        return (0...canvas.width).map { column in
            let place = SIMD2(canvas.point(column, 0).x * roughness, Float(range) * 17 + 3)
            return base - (noise.cloud(place, octaves: 7) - 0.5) * (0.62 - 0.12 * Float(range))
        }
    }
}
