import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

/// NASA edits days that are mirrored, and each call that changes the file system fails once meanwhile.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: FaultShim.isPossible))
struct EditFaultTests {
    /// One day after the other, so that the calls come in nearly the same order every time.
    static let options = ["--since", "4d", "--jobs", "1", "--videos", "--thumbnails", "no"]

    @Test(arguments: FaultShim.Fault.allCases)
    func anInterruptedEditIsCompletedOrUndone(fault: FaultShim.Fault) async throws {
        try await withSite(days: 4) { site in
            let shim = try await FaultShim(for: site)
            try addVideo(to: site)
            #expect(try await run(site, "before").code == 0)
            let before = try site.tree("\(site.folder)/before")
            try editAll(site)
            try copy("before", to: "whole", in: site)
            let calm = try await run(site, "whole", shim.variables(fault, at: -1))
            let whole = try site.tree("\(site.folder)/whole")
            let calls = try #require(try shim.calls(of: site))
            #expect(calm.code == 0 && whole.damage == [] && whole.videoDamage == [], "\(calm)")
            #expect(whole.lost(of: before) == [])
            #expect(whole.complete.count == 4 && whole.previous.count >= 4, "\(whole.files.keys)")

            for number in 1...calls {
                try copy("before", to: "trial", in: site)
                let faulty = try await run(site, "trial", shim.variables(fault, at: number))
                let half = try site.tree("\(site.folder)/trial")
                let trial = "\(fault) at \(number): \(faulty)"
                #expect(half.lost(of: before) == [], "\(trial)")
                #expect(faulty.signal == nil || fault == .kill, "\(trial)")

                site.simulator.resetLog()
                let clean = try await run(site, "trial")
                let tree = try site.tree("\(site.folder)/trial")
                #expect(clean.code == 0, "\(trial); \(clean)")
                #expect(tree.damage == [] && tree.videoDamage == [], "\(trial)")
                #expect(tree.lost(of: before) == [], "\(trial)")
                #expect(tree.differences(from: whole) == [] && tree.incoming == [], "\(trial)")
                #expect(tree.previous.keys == whole.previous.keys, "\(trial)")
                let asked = site.simulator.requests.filter { $0.kind == .media }.compactMap(\.day)
                let done = Set(half.edited.filter { whole.edited.contains($0) }.map(\.day))
                #expect(done.isDisjoint(with: asked), "\(trial)")
            }
            print("\(fault): each of \(calls) calls failed once")
        }
    }

    /// Undone where nothing is left to finish it with.
    @Test func anEditWithoutItsDownloadsIsUndone() async throws {
        try await withSite(days: 4) { site in
            let shim = try await FaultShim(for: site)
            try addVideo(to: site)
            #expect(try await run(site, "before").code == 0)
            let before = try site.tree("\(site.folder)/before")
            try editAll(site)
            try copy("before", to: "whole", in: site)
            _ = try await run(site, "whole", shim.variables(.kill, at: -1))
            let calls = try #require(try shim.calls(of: site))
            var interrupted = 0
            for number in 1...calls {
                try copy("before", to: "trial", in: site)
                _ = try await run(site, "trial", shim.variables(.kill, at: number))
                let own = try #require(
                    try Directory(opening: "\(site.folder)/trial").folder(Layout.own))
                let incoming = try #require(try own.folder("incoming"))
                for name in try incoming.textNames() where !name.hasSuffix(".json") {
                    try incoming.remove(name)
                }
                if !(try site.tree("\(site.folder)/trial").damage.isEmpty) { interrupted += 1 }
                site.simulator.inject(.notFound, on: .media, times: nil)
                _ = try await run(site, "trial")
                site.simulator.clearFaults()
                let tree = try site.tree("\(site.folder)/trial")
                #expect(tree.damage == [] && tree.videoDamage == [], "kill at \(number)")
                #expect(tree.lost(of: before) == [], "kill at \(number)")
            }
            #expect(interrupted > 0)
        }
    }

    // MARK: The edits

    private func day(_ age: Int) -> Day { Site.today.advanced(by: -age) }

    private static func drawn(_ seed: Int, _ format: Drawing.Format = .jpeg) -> PictureSource {
        .drawn(Drawing(seed: UInt64(seed), width: 64, height: 40, format: format))
    }

    private func addVideo(to site: Site) throws {
        site.simulator.publish(
            SimulatedEntry(
                day: day(2), title: "A Comet", explanationHTML: "It moves.",
                media: .videoFile(
                    SimulatedPicture(name: "comet.mp4", source: .bytes(Self.film("first"))),
                    poster: SimulatedPicture(name: "poster.jpg", source: Self.drawn(1)))))
    }

    /// A picture of the same type, one of another, picture and video, text alone.
    private func editAll(_ site: Site) throws {
        var entries = try (0..<4).map { try #require(site.simulator.entry(of: day($0))) }
        entries[0].media = .picture(SimulatedPicture(name: "b.jpg", source: Self.drawn(7)))
        entries[1].media = .picture(SimulatedPicture(name: "b.png", source: Self.drawn(8, .png)))
        entries[2].media = .videoFile(
            SimulatedPicture(name: "comet2.mp4", source: .bytes(Self.film("second"))),
            poster: SimulatedPicture(name: "poster2.jpg", source: Self.drawn(9)))
        entries[3].title = "Quite Another Title"
        entries.forEach { site.simulator.publish($0) }
    }

    private static func film(_ words: String) -> [UInt8] {
        func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
            [0, 0, 0, UInt8(content.count + 8)] + Array(name.utf8) + content
        }
        return box("ftyp", Array("isom".utf8) + [0, 0, 2, 0]) + box("moov", [])
            + box("mdat", Array(words.utf8))
    }

    // MARK: Running

    private func run(
        _ site: Site, _ root: String, _ environment: [String: String] = [:]
    ) async throws -> Ending {
        let words =
            ["run", "--once", "-q"] + site.settings(root: "\(site.folder)/\(root)") + Self.options
        let home = ["HOME": "\(site.folder)/home"]
        return try await site.start(words, environment: environment.merging(home) { $1 }).end()
    }

    private func copy(_ root: String, to other: String, in site: Site) throws {
        let folder = site.folder
        let code = unsafe system(
            "cd '\(folder)' && rm -rf '\(other)' && cp -a '\(root)' '\(other)'")
        try #require(code == 0)
    }
}

extension TreeImage {
    fileprivate struct Edited: Hashable {
        let day: Day
        let title: String?
        let sha256: String?
        let video: String?
    }

    /// What was replaced.
    fileprivate var previous: [String: [UInt8]] {
        files.filter { $0.key.hasPrefix(Layout.previous + "/") && !$0.key.hasSuffix(".json") }
    }

    private var documents: [(path: String, record: JSON)] {
        files.filter { $0.key.hasPrefix(Layout.metadata + "/") }
            .map { ($0.key, (try? JSON(parsing: $0.value)) ?? .null) }
    }

    /// What an edit changes of each record.
    fileprivate var edited: Set<Edited> {
        Set(
            documents.compactMap { _, record in
                guard let day = record["date"]?.string.flatMap({ Day(iso: $0) }) else { return nil }
                return Edited(
                    day: day, title: record["title"]?.string,
                    sha256: record["picture"]?["sha256"]?.string,
                    video: record["video"]?["sha256"]?.string)
            })
    }

    /// The videos that are gone, or have another hash than their record says.
    fileprivate var videoDamage: [String] {
        documents.compactMap { path, record in
            guard let video = record["video"]?["path"]?.string else { return nil }
            var hash = SHA256()
            hash.update(files[video] ?? [])
            return hash.hexDigest() == record["video"]?["sha256"]?.string ? nil : path
        }
    }

    /// The pictures and videos of `earlier` whose bytes are no longer anywhere.
    fileprivate func lost(of earlier: TreeImage) -> [String] {
        let bytes = Set(files.values)
        return earlier.pictures.filter { path in
            earlier.files[path].map { !bytes.contains($0) } ?? false
        }
    }
}
