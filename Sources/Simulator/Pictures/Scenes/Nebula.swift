internal import Glibc

/// Glowing gas with dark dust before it.
struct Nebula {
    private let gas: Noise
    private let dust: Noise
    private let centre: SIMD2<Float>
    private let turn: Float
    private let palette: (inner: Canvas.Light, outer: Canvas.Light, edge: Canvas.Light)

    /// Hydrogen and oxygen as seen by eye, the Hubble palette, a reflection in blue, a cold violet.
    private static let palettes: [(Canvas.Light, Canvas.Light, Canvas.Light)] = [
        (SIMD3(0.95, 0.35, 0.30), SIMD3(0.60, 0.10, 0.16), SIMD3(0.16, 0.28, 0.52)),
        (SIMD3(0.35, 0.75, 0.85), SIMD3(0.85, 0.52, 0.16), SIMD3(0.42, 0.16, 0.06)),
        (SIMD3(0.62, 0.78, 1.00), SIMD3(0.16, 0.32, 0.72), SIMD3(0.10, 0.12, 0.30)),
        (SIMD3(0.95, 0.60, 0.75), SIMD3(0.46, 0.20, 0.62), SIMD3(0.10, 0.22, 0.48)),
        (SIMD3(0.95, 0.80, 0.48), SIMD3(0.72, 0.26, 0.16), SIMD3(0.12, 0.30, 0.34)),
    ]

    init(_ random: inout SplitMix64) {
        gas = Noise(seed: random.next())
        dust = Noise(seed: random.next())
        centre = SIMD2(random.float(-0.45...0.45), random.float(-0.25...0.25))
        turn = random.float(0...Float.pi)
        palette = random.pick(Self.palettes)
    }

    func paint(_ canvas: inout Canvas, _ random: inout SplitMix64) {
        canvas.shade { point, _ in
            SIMD3(0.010, 0.011, 0.020) + palette.edge * 0.02 * (1 - point.y)
        }
        Stars(count: 1600).paint(&canvas, &random)
        Overlay(over: canvas, light).cover(&canvas)
        Stars(count: 140, brightest: 2).paint(&canvas, &random)
    }

    private func light(_ point: SIMD2<Float>) -> SIMD4<Float> {
        let away = point - centre
        let along = SIMD2(
            away.x * cosf(turn) + away.y * sinf(turn), away.y * cosf(turn) - away.x * sinf(turn))
        let bend = SIMD2(
            gas.cloud(point * 1.3 + 3, octaves: 4), gas.cloud(point * 1.3 + 11, octaves: 4))
        let place = point * 1.5 + (bend - 0.5) * 2.4
        let reach = expf(-(along.x * along.x * 0.55 + along.y * along.y * 1.5))
        let density = smoothstep(0.30, 0.85, gas.cloud(place) * (0.45 + 0.75 * reach)) * 1.5
        let threads = gas.threads(place * 1.3 + 5) * density
        let core = expf(-(along * along).sum() * 3.2)
        let dark = smoothstep(0.52, 0.74, dust.cloud(place * 1.1 + 20)) * 0.85
        let warmth = smoothstep(0.05, 0.75, core + 0.5 * (bend.x - 0.4))
        let colour = palette.outer + (palette.inner - palette.outer) * warmth
        let rim =
            palette.edge * smoothstep(0.38, 0.62, gas.cloud(place * 0.7 + 40, octaves: 4)) * 0.08
        let glow = colour * (density * (0.40 + 0.75 * core) + 0.45 * threads * threads) + rim
        let shown = glow * (1 - dark)
        return SIMD4(shown, 1 - dark * min(1, density * 1.4))
    }
}
