import APOD
import JSON
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

/// Years of the real archive with the real program, if a developer has it; `APODTests` decodes all its entries.
@Suite(.enabled(if: RealData.path != nil), .timeLimit(.minutes(20))) struct RealDataTests {
    private static let archive = Result {
        let folder = try #require(RealData.path)
        return try Archive.real(
            entries: "\(folder)/entries-1995-2019.ndjson", pictures: "\(folder)/images")
    }

    @Test(arguments: [1995...1995, 2015...2015])
    func allAvailableDaysAreDownloaded(years: ClosedRange<Int>) async throws {
        let entries = try Self.archive.get().entries.values
            .filter { years.contains($0.day.year) }
        let first = try #require(entries.map(\.day).min())
        try await withSite(of: Archive(entries), inMemory: true) { site in
            let all = ["--since", "\(first)", "--jobs", "16", "--thumbnails", "no"]
            let first = try await site.start(["run", "--once"] + site.settings() + all).end()
            let tree = try site.tree()
            site.simulator.resetLog()
            let second = try await site.start(["run", "--once"] + site.settings() + all).end()

            // Days for which NASA never had a picture are not missing.
            #expect(first.code == 0 && second.code == 0, "\(first); \(second)")
            #expect(site.simulator.requests.map(\.kind) == [.newest])
            #expect(try site.tree().lasting == tree.lasting)
            #expect(tree.damage == [] && tree.incoming == [])
            try RecordSchema().expect(tree.records)
            let pictured = entries.filter { $0.media.hasPicture }.map(\.day)
            #expect(tree.complete == Set(pictured))
            #expect(tree.pictures.count == pictured.count)
            // A day has a page for its video, and a page instead of a picture that NASA does not have.
            let paged = entries.filter { $0.media.hasVideo || !$0.media.hasPicture }
            #expect(Set(tree.redirectPages.map(Self.date)) == Set(paged.map { "\($0.day)" }))
            try await expectReasons(site, missing: pictured.count)
        }
    }

    /// The date that the name of the file at `path` begins with.
    private static func date(_ path: String) -> String {
        String(Layout.split(path).name.prefix(10))
    }

    private func expectReasons(_ site: Site, missing complete: Int) async throws {
        let ending = try await site.read("status", "--json")
        let status = try ending.json
        #expect(status["missing"] == .array([]))
        let missing = status["no_picture"]?.elements ?? []
        #expect(status["complete"]?.integer == complete)
        #expect(status["wanted"]?.integer == complete + missing.count)
        #expect(missing.allSatisfy { $0["attempts"]?.integer == 1 })
        let reasons = missing.compactMap { $0["reason"]?.string }
        #expect(reasons.count == missing.count && !reasons.contains("not tried yet"))
    }
}

extension SimulatedMedia {
    /// Whether a picture, or the poster of a video, is available.
    fileprivate var hasPicture: Bool {
        switch self {
        case .picture(let picture), .markupOnly(let picture), .iframe(_, let picture?),
            .videoFile(_, let picture?):
            picture.isPicture
        default: false
        }
    }
}

extension SimulatedMedia {
    /// Whether there is a video: three times NASA calls one an image.
    fileprivate var hasVideo: Bool { isVideo || files.contains { $0.name.hasSuffix(".mp4") } }
}

extension SimulatedPicture {
    fileprivate var isPicture: Bool { [source, reduced].contains { $0?.isPicture ?? false } }
}

extension PictureSource {
    /// By the generated media for URLs of other kinds; see `RealArchive`.
    fileprivate var isPicture: Bool {
        if case .bytes = self { false } else { true }
    }
}
