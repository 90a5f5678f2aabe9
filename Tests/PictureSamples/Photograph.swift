internal import CTurboJPEG
internal import Glibc
internal import PictureWriting

/// A picture with what a photograph of the sky has: soft light, fine detail and grain, always the same.
package struct Photograph: Sendable {
    package let width: Int
    package let height: Int
    /// Three bytes a pixel.
    package let rgb: [UInt8]

    /// Each sample strays by up to 12.
    package init(_ width: Int, _ height: Int) {
        self.width = width
        self.height = height
        let across = (0..<width).map { 70 * sin(Double($0) * 0.004) + 20 * sin(Double($0) * 0.31) }
        let down = (0..<height).map { 60 * cos(Double($0) * 0.006) + 15 * sin(Double($0) * 0.23) }
        let grain = 12
        var noise: UInt64 = 0x9e37_79b9_7f4a_7c15
        var samples = [UInt8](repeating: 0, count: width * height * 3)
        for row in 0..<height {
            for column in 0..<width {
                for channel in 0..<3 {
                    // A xorshift; see Marsaglia, “Xorshift RNGs”.
                    noise ^= noise << 13
                    noise ^= noise >> 7
                    noise ^= noise << 17
                    let light = 110 + Int(across[column] + down[row]) - 20 * channel
                    let stray = Int(noise % UInt64(2 * grain + 1)) - grain
                    samples[(row * width + column) * 3 + channel] = UInt8(
                        clamping: light + stray)
                }
            }
        }
        rgb = samples
    }

    package func jpeg() -> [UInt8] {
        JPEGFile.encoded(rgb, (width, height), TJPF_RGB, TJSAMP_420, quality: 90)
    }
}
