import APOD
import JSON
import Platform
import Simulator
import Testing

@testable import Mirror

/// `docs/schemas/record.schema.json` describes every record, and rejects anything else.
extension WholeProgram {
    @Suite(.timeLimit(.minutes(10))) struct RecordSchemaTests {
        @Test(.enabled(if: FaultShim.isPossible, "needs a C compiler"))
        func everyRecordOfAMirrorPassesTheSchema() async throws {
            // A mirror of the old site has the picture of one of the days that lost theirs.
            let lost = try #require((0..<10).map(Site.day).first { $0.number % 10 == 0 })
            let found = Archive.generated(newest: Site.today, days: 60, size: (48, 32))
                .entries[lost]
            let settings = Simulator.Settings(classicMirror: Archive([try #require(found)]))
            try await withSite(days: 60, extras: .all, settings: settings) { site in
                let rejected = try #require(
                    (0..<10).first {
                        site.simulator.entry(of: Site.day($0))?.media.isPlain ?? false
                    })
                site.simulator.inject(.html, on: .mediaOf(Site.day(rejected)), times: nil)
                try await hideAnOriginal(site)
                _ = try await site.mirror(
                    "--since", "40d", "--videos", "--mirrors", site.simulator.classicAddress)
                try await edit(site)
                let added = try await site.read("favorites", "add", "\(Site.day(50))")
                #expect(added.code == 0, "\(added)")
                _ = try await site.mirror("--since", "40d", "--videos")
                let archive = (10..<20).map {
                    #"{"date": "\#(Site.day($0))", "title": "Quite-Another Title"}"#
                }.joined()
                try site.write(archive, to: "source/archive.json")
                let adopted = try await site.adopt("--offline")
                #expect(adopted.code == 0, "\(adopted)")
                // Each removes a tenth of the days: together more than ten, so that they have media of each kind.
                let shim = try await FaultShim(for: site)
                for day in 0..<5 {
                    _ = try await site.mirror(
                        "--since", "40d", "--videos", "--keep", "20d",
                        environment: shim.clock(ahead: day * 86_400))
                }

                // A favorite by another route, in the sync after the one that finds the API to fail.
                site.simulator.inject(.html, on: .route(.api), times: nil)
                _ = try await site.read("favorites", "add", "\(Site.day(51))")
                for _ in 0..<2 { _ = try await site.mirror("--since", "40d", "--keep", "20d") }

                let records = try site.tree().records
                try JSONSchema.expect(records)
                let all = Array(records.values)
                #expect(all.count >= 41)
                #expect(all.contains { $0["date"]?.string == "\(Site.day(50))" })
                let missing = all.filter { $0["no_picture"] != nil }
                #expect(missing.contains { $0["date"]?.string == "\(Site.day(rejected))" })
                #expect(missing.count > 1)
                #expect(all.contains { $0["picture"]?["reduced"] != nil })
                #expect(all.contains { $0["source"]?["revision"]?.integer == 2 })
                #expect(all.contains { $0["license"] != nil })
                // A key of the schema that no record has would be outdated.
                let keys = Set(all.flatMap { JSONSchema.keys(of: $0) })
                #expect(try JSONSchema.record.keys.subtracting(keys) == [])
            }
        }

        /// Serves only the reduced copy of one picture; a sync requests the original first.
        private func hideAnOriginal(_ site: Site) async throws {
            let ago = try #require(
                (20..<40).first {
                    site.simulator.entry(of: Site.day($0))?.media.hasReducedCopy ?? false
                }
            )
            _ = try await site.mirror("--since", "40d", root: "\(site.folder)/scout")
            let requests = site.simulator.requests
            let original = try #require(
                requests.first { $0.kind == .media && $0.day == Site.day(ago) })
            site.simulator.inject(.notFound, on: .path(original.path), times: nil)
        }

        /// A text, a picture of another type, a credit with a license, and damage to all texts.
        private func edit(_ site: Site) async throws {
            // Nor is the day whose picture is rejected.
            let others = (10..<20).filter {
                site.simulator.entry(of: Site.day($0))?.media.isPlain ?? false
            }
            try site.simulator.edit(Site.day(others[0])) {
                $0.title = "Quite Another Title"
                $0.alt = String(repeating: "too long ", count: 1_000)
                $0.credit = """
                    Ada Lovelace; <a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>
                    """
            }
            try site.simulator.edit(Site.day(others[1])) {
                $0.media = .drawn("other.png", seed: 7, width: 64, height: 40, format: .png)
            }
            let (damaged, address) = (Site.day(others[2]), "https://www.youtube.com/embed/abc")
            try site.simulator.edit(damaged) {
                ($0.credit, $0.copyright) = ("Ada Lovelace", "Ada Lovelace")
                $0.alt = "A chain of stars."
                $0.media = .iframe(src: "\(address)?start=23")
            }
            _ = try await site.mirror("--since", "40d", "--videos")
            // A smaller picture in place of the one that is here, which stays.
            let kept = Site.day(others[3])
            let record = try site.tree().records.values.first { $0["date"]?.string == "\(kept)" }
            let picture = try #require(record?["picture"])
            let (width, height) = (picture["width"]?.integer ?? 0, picture["height"]?.integer ?? 0)
            try site.simulator.edit(kept) {
                let drawing = Drawing(seed: 9, width: width / 2, height: height / 2)
                $0.media = .picture(
                    SimulatedPicture(
                        name: "small.jpg", source: .drawn(drawing), announcesSize: false))
            }
            try site.simulator.edit(damaged) {
                ($0.credit, $0.copyright, $0.alt) = (nil, nil, nil)
                $0.title = $0.title.uppercased()
                $0.explanationHTML = ""
                $0.media = .iframe(src: address)
            }
        }
    }
}

extension SimulatedMedia {
    fileprivate var hasReducedCopy: Bool {
        if case .picture(let picture) = self { picture.reduced != nil } else { false }
    }

    fileprivate var isPlain: Bool {
        if case .picture = self { true } else { false }
    }
}

/// The schema alone.
@Suite struct BrokenRecordTests {
    private static let whole: JSON = [
        "date": "2026-11-20", "title": "The Crab Nebula", "explanation": "", "media_type": "image",
        "url": "https://science.nasa.gov/crab.jpg", "hdurl": "https://science.nasa.gov/crab.jpg",
        "license": ["name": "CC BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/"],
        "picture": [
            "path": "pictures/2026/2026-11/2026-11-20 The Crab Nebula.jpg", "bytes": 46_400,
            "sha256": .string(String(repeating: "0f", count: 32)), "type": "image/jpeg",
            "width": 960, "height": 640, "origin": "https://science.nasa.gov/crab.jpg",
        ],
        "video": ["url": "https://www.youtube.com/embed/abc"],
        "source": ["feed": "basic", "fetched": "2026-11-20T04:10:00Z", "revision": 1],
    ]

    @Test func aCompleteRecordPassesTheSchema() throws {
        let withAKeyOfAnother = Self.whole.setting("my_rating", to: 5)

        #expect(try JSONSchema.record.violations(of: withAKeyOfAnother) == [])
        let day = try #require(Day(iso: "2026-11-20"))
        #expect(DayRecord.violations(of: withAKeyOfAnother, day: day) == [])
    }

    /// A change, and the result of the validation.
    static let changes: [(path: String, value: JSON?, violation: String)] = [
        ("date", nil, ": required"),
        ("date", "2026-13-20", "/date: pattern"),
        ("date", 20_261_120, "/date: type"),
        ("title", nil, ": required"),
        ("title", "The\u{1b}[31m Crab", "/title: not"),
        ("url", "javascript:alert(1)", "/url: pattern"),
        ("copyright", "", "/copyright: minLength"),
        ("license/url", nil, "/license: required"),
        ("picture", nil, ": anyOf"),
        ("picture/path", nil, "/picture: required"),
        ("picture/path", "../etc/2026-11-20 passwd.jpg", "/picture/path: pattern"),
        ("picture/path", "pictures/2026/2026-11/2026-11-20 a/b.jpg", "/picture/path: pattern"),
        ("picture/path", "pictures/2026/2026-11/2026-11-20 a.exe", "/picture/path: pattern"),
        ("picture/bytes", 0, "/picture/bytes: minimum"),
        ("picture/sha256", "0F", "/picture/sha256: pattern"),
        ("picture/type", "text/html", "/picture/type: enum"),
        ("picture/width", -1, "/picture/width: minimum"),
        ("picture/reduced", false, "/picture/reduced: const"),
        ("picture/removed", "yesterday", "/picture/removed: pattern"),
        (
            "video/path", "pictures/2026/2026-11/2026-11-20 The Crab Nebula.mp4",
            "/video: dependentRequired"
        ),
        ("video/removed", "2026-11-20T04:10:00Z", "/video: dependentRequired"),
        ("no_picture", ["reason": "gone"], "/no_picture: required"),
        ("no_picture", ["reason": "gone", "since": "2026-11-20T04:10:00Z"], ": not"),
        ("source/feed", "rss", "/source/feed: enum"),
        ("source/route", "api", "/source/route: enum"),
        ("source/fetched", "yesterday", "/source/fetched: pattern"),
    ]

    @Test(arguments: changes)
    func aBrokenRecordIsFound(path: String, value: JSON?, violation: String) throws {
        let broken = Self.whole.setting(path, to: value)

        let violations = try JSONSchema.record.violations(of: broken)
        #expect(violations.contains(violation), "\(violations)")
        let day = try #require(Day(iso: "2026-11-20"))
        #expect(DayRecord.violations(of: broken, day: day) != [])
    }

    @Test func anUnknownSchemaKeywordIsAnError() throws {
        #expect(throws: JSONSchema.Unsupported(keyword: "maxLength")) {
            try JSONSchema(["maxLength": 3]).violations(of: "long")
        }
    }
}

extension JSONSchema {
    static var record: JSONSchema {
        get throws { try JSONSchema(named: "record") }
    }

    /// Expects that each of the mirror's own records passes and has no key that the schema of records does not name.
    static func expect(_ records: [String: JSON]) throws {
        let schema = try record
        for (path, record) in records {
            #expect(try schema.violations(of: record, isClosed: true) == [], "\(path)")
            let day = try #require(FileName.day(of: Layout.split(path).name))
            #expect(DayRecord.violations(of: record, day: day) == [], "\(path)")
        }
    }
}

extension JSON {
    /// The same with another value at `path`, or without one.
    func setting(_ path: String, to value: JSON?) -> JSON {
        let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
        let inner = parts.count > 1 ? (self[parts[0]] ?? [:]).setting(parts[1], to: value) : value
        let others = members.filter { $0.key != parts[0] }
        return .object(others + (inner.map { [Member(key: parts[0], value: $0)] } ?? []))
    }
}
