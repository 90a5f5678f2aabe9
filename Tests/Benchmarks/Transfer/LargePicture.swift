import Platform

/// Downloads one picture of 400 MB, which is never in memory as a whole.
struct LargePicture {
    private let bench: Workbench

    init(_ bench: Workbench) { self.bench = bench }

    func measure() throws -> [Goal] {
        let album = try Album([400_000_000], in: try bench.directory("pictures"))
        let server = try Server(album.path)
        try bench.announce("one picture of 400 MB")
        let root = try bench.directory("copies").path
        let usage = try bench.sync(root, from: server).measure()
        bench.say([usage].row("apod-mirror", bytes: album.bytes))
        return [.peak("a picture of 400 MB", [usage])]
    }
}
