import Glibc
import MediaFormat
import PictureSamples
import TestSupport
import ThumbnailRenderer

/// What libFuzzer calls with each file that it makes up: any bytes have a header and an end, or are rejected, and give a
/// thumbnail or a reason.
@_cdecl("LLVMFuzzerTestOneInput")
public func makeThumbnail(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
    let reader = unsafe MediaBytes(bytes)
    try? MediaHeader(reading: reader).checkEnd(of: reader)
    _ = try? Thumbnailer.thumbnail(of: unsafe bytes.span, comment: "fuzz")
    return 0
}

/// What libFuzzer calls to change a file in place: each fourth one gets the structure of a format, with false lengths.
@_cdecl("LLVMFuzzerCustomMutator")
public func changeFile(
    _ start: UnsafeMutablePointer<UInt8>?, _ count: Int, _ maximum: Int, _ seed: UInt32
) -> Int {
    guard seed.isMultiple(of: 4) else { return unsafe mutate(start, count, maximum) }
    var files = MalformedFile(random: SplitMix(state: UInt64(seed)))
    let file = files.next().prefix(maximum)
    _ = unsafe UnsafeMutableBufferPointer(start: start, count: file.count)
        .update(fromContentsOf: file)
    return file.count
}

@_silgen_name("LLVMFuzzerMutate")
private func mutate(
    _ start: UnsafeMutablePointer<UInt8>?, _ count: Int, _ maximum: Int
) -> Int

/// What it starts with: a picture of each kind, in the directory that `APOD_MIRROR_SEEDS` names.
@_cdecl("LLVMFuzzerInitialize")
public func writeSeeds(
    _ count: UnsafeMutableRawPointer?, _ words: UnsafeMutableRawPointer?
) -> CInt {
    guard let folder = unsafe getenv("APOD_MIRROR_SEEDS") else { return 0 }
    for (index, seed) in seeds.enumerated() {
        let file = unsafe open("\(String(cString: folder))/\(index)", O_WRONLY | O_CREAT, 0o644)
        _ = unsafe write(file, seed, seed.count)
        close(file)
    }
    return 0
}

private var seeds: [[UInt8]] {
    let chart = Chart(24, 17)
    let exif = Array("II*\0\u{8}\0\0\0\u{1}\0\u{12}\u{1}\u{3}\0\u{1}\0\0\0\u{6}\0\0\0\0\0\0\0".utf8)
    return Chart.Kind.allCases.map { chart.jpeg($0) }
        + [inserting(0xe1, Array("Exif\0\0".utf8) + exif, into: chart.jpeg())]
        + Chart.Samples.allCases.flatMap { samples in
            [false, true].map { chart.png(samples, isInterlaced: $0, exif: exif) }
        }
        + [
            chart.gif(), chart.gif(isInterlaced: true, offset: 2, transparent: 1, frames: 2),
            chart.webp(), chart.webp(hasOpacity: true), chart.webp(isLossless: true),
            Chart.movingWebP,
        ]
}
