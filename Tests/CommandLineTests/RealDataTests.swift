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

    /// A summer whose pictures NASA lost in part: the page of one in ten days on the mirror shows another picture.
    @Test func aClassicMirrorFillsEveryLostPicture() async throws {
        let year = try Self.archive.get().entries
            .filter { $0.key.year == 2007 && (6...8).contains($0.key.month) }
        let pictured = Set(
            year.values.filter { $0.media.hasPicture && !$0.media.hasVideo }.map(\.day))
        var (nasa, classic) = (year, year)
        var wrong: Set<Day> = []
        for (day, entry) in year {
            guard pictured.contains(day), case .picture(var picture) = entry.media else { continue }
            picture.source = .file(path: "/nowhere")
            picture.reduced = nil
            switch day.number % 3 {
            case 0: nasa[day]?.media = .lost
            case 1: nasa[day]?.media = .picture(picture)
            default: continue
            }
            guard day.number.isMultiple(of: 10), let other = year[day.advanced(by: 1)] else {
                continue
            }
            classic[day] = other
            classic[day]?.day = day
            wrong.insert(day)
        }
        let settings = Simulator.Settings(classicMirror: Archive(Array(classic.values)))
        try await withSite(of: Archive(Array(nasa.values)), settings: settings, inMemory: true) {
            site in
            let options = [
                "--since", "2007-06-01", "--jobs", "16", "--thumbnails", "no", "--mirrors",
                site.simulator.classicAddress,
            ]
            let ending = try await site.start(["run", "--once"] + site.settings() + options).end()
            let damaged = try site.tree()
            try RecordSchema().expect(damaged.records)
            #expect(damaged.damage == [], "\(ending)")
            // Mirrors are not asked for the picture of a day with a film.
            let film = try #require(Day(iso: "2007-07-02"))
            let expected = pictured.subtracting(wrong).subtracting([film])
            #expect(damaged.complete.symmetricDifference(expected) == [], "\(ending)")
            print("\(pictured.count) days, \(wrong.count) wrong pages of a mirror")

            // What NASA had before is the same, byte for byte.
            for entry in year.values { site.simulator.publish(entry) }
            let other = "\(site.folder)/whole"
            _ = try await site.start(
                ["run", "--once"] + site.settings(root: other) + options.dropLast(2)
            ).end()
            let whole = try site.tree(other)
            #expect(whole.complete == pictured)
            for path in damaged.pictures {
                #expect(whole.files[path] == damaged.files[path], "\(path)")
            }
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
