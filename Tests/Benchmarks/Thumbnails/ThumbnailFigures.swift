import PictureSamples
import Platform

/// The thumbnails per second of CPU time, compared with vipsthumbnail, and the memory.
///
/// Each of ours is checked, synced and published; vipsthumbnail writes files.
struct ThumbnailFigures {
    private let bench: Workbench

    private static let rounds = 3
    private static let copies = 8

    init(_ bench: Workbench) { self.bench = bench }

    func measure() throws -> [Goal] {
        var goals: [Goal] = []
        if let real = try Self.realPictures() {
            goals += try compare("\(real.count) real pictures", real)
        }
        let photograph = Photograph(4000, 3000)
        let (jpeg, png) = (photograph.jpeg(), photograph.png())
        goals += try compare("12 megapixels, JPEG", .init(repeating: jpeg, count: Self.copies))
        goals += try compare("12 megapixels, PNG", .init(repeating: png, count: Self.copies))
        return try goals + [memory()]
    }

    private func compare(_ name: String, _ pictures: [[UInt8]]) throws -> [Goal] {
        let run = try ThumbnailRun(
            of: pictures, in: bench.directory("thumbnails"), log: "\(bench.path)/log")
        try bench.announce("thumbnails of \(name), \(Self.rounds) rounds")
        var (ours, vips): ([Usage], [Usage]) = ([], [])
        for _ in 1...Self.rounds {
            ours.append(try run.measure())
            vips.append(try byVips(run.paths))
        }
        bench.say(ours.row("apod-mirror"))
        bench.say(vips.row("vipsthumbnail"))
        return [
            Goal(
                "\(name): thumbnails a second and core to vips", unit: "x",
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

    /// The largest possible JPEG of 50 megapixels: noise in full color at the best quality.
    ///
    /// The pages of its mapped file count as memory, but the kernel can drop them at any time.
    private func memory() throws -> Goal {
        let noise = Photograph(8660, 5774, grain: 255).jpeg(quality: 100, hasFullColor: true)
        let run = try ThumbnailRun(
            of: [noise], in: bench.directory("thumbnails"), log: "\(bench.path)/log")
        try bench.announce("a JPEG of 50 megapixels and \(noise.count / 1_000_000) MB")
        let usage = try run.measure()
        bench.say([usage].row("apod-mirror"))
        return Goal(
            "a JPEG of 50 megapixels: peak memory without its file", unit: "MB",
            (usage.peak - Double(noise.count)) / 1e6, .atMost(100))
    }

    /// The real pictures of a developer who has them.
    private static func realPictures() throws -> [[UInt8]]? {
        let folder = processEnvironment()["APOD_MIRROR_REAL_DATA"]
            .flatMap { try? Directory(opening: "\($0)/images") }
        return try folder.map { try files(in: $0) }
    }

    private static func files(in folder: Directory) throws -> [[UInt8]] {
        try folder.textNames().sorted().flatMap { name in
            if let below = try? folder.folder(name) { return try files(in: below) }
            return try folder.read(name).map { [$0] } ?? []
        }
    }
}
