import PictureSamples
import Platform

/// The thumbnails per second of CPU time, compared with vipsthumbnail.
///
/// Each of ours is checked, synced and published; vipsthumbnail writes files.
struct ThumbnailFigures {
    private let bench: Workbench

    private static let rounds = 5
    private static let copies = 8

    init(_ bench: Workbench) { self.bench = bench }

    func measure() throws -> [Goal] {
        let photograph = Photograph(4000, 3000).jpeg()
        let run = try ThumbnailRun(
            of: .init(repeating: photograph, count: Self.copies),
            in: bench.directory("thumbnails"), log: "\(bench.path)/log")
        try bench.announce("thumbnails of 12 megapixels, JPEG, \(Self.rounds) rounds")
        var (ours, vips): ([Usage], [Usage]) = ([], [])
        for _ in 1...Self.rounds {
            ours.append(try run.measure())
            vips.append(try byVips(run.paths))
        }
        bench.say(ours.row("apod-mirror"))
        bench.say(vips.row("vipsthumbnail"))
        return [
            Goal(
                "12 megapixels, JPEG: thumbnails a second and core to vips", unit: "x",
                vips.median(\.processor) / ours.median(\.processor), .atLeast(1))
        ]
    }

    private func byVips(_ paths: [String]) throws -> Usage {
        let folder = try bench.directory("vips").path
        return try Command(
            ["env", "VIPS_CONCURRENCY=1", "vipsthumbnail", "--size", "512x512>"]
                + ["--output", "\(folder)/%s.jpg[Q=85]"] + paths,
            log: "\(bench.path)/log"
        ).measure()
    }
}
