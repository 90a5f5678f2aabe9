import APOD
import FoundationEssentials
import JSON
import MirrorTesting
import Platform
import Simulator
import TestSupport
import Testing

@testable import Maintenance
@testable import Mirror

/// Metadata of other archives repairs texts, and makes none worse.
@Suite(.timeLimit(.minutes(10))) struct TextAdoptionTests {
    let day = MirrorUnderTest.newest.advanced(by: -2)

    /// A mirror whose texts of ``day`` are damaged, and a directory with `files`.
    private nonisolated(nonsending) func adopt(
        _ files: [String: [UInt8]], isDryRun: Bool = false,
        _ check:
            nonisolated(nonsending) (MirrorUnderTest, [AdoptionEvent], TextAdoption.Counts)
            async throws -> Void
    ) async throws {
        try await withMirror(days: 4) { mirror in
            var entry = try #require(mirror.simulator.entry(of: day))
            (entry.title, entry.credit, entry.copyright) = ("Kembles Cascade", nil, nil)
            entry.explanationHTML =
                "A <a href=\"https://example.org\">chain</a> of stars: its Kembles."
            mirror.simulator.publish(entry)
            await mirror.sync()
            try await withTemporaryFolder { path in
                let source = try Directory(opening: path)
                for (name, bytes) in files {
                    let (folder, name) = Layout.split(name)
                    let target = folder == "." ? source : try source.makeDirectory(folder)
                    try AtomicFile.publish(bytes, in: target, as: name, through: source)
                }
                let events = Monitor([AdoptionEvent]())
                var adoption = TextAdoption(of: source, into: mirror.store, isDryRun: isDryRun) {
                    event in events.withLock { $0.append(event) }
                }
                try adoption.run()
                try await check(mirror, events.withLock(\.self), adoption.counts)
            }
        }
    }

    private var better: JSON {
        [
            "date": .string("\(day)"), "title": "Kemble's Cascade", "media_type": "image",
            "explanation": "A chain of stars: it's Kemble's.", "credit": "Ada Lovelace",
            "copyright": "Ada Lovelace", "service_version": "v1",
        ]
    }

    private static let page = """
        <title> APOD: 2026 November 18 - Kemble’s Cascade </title>
        <center><h1> Astronomy Picture of the Day </h1><p>2026 November 18<br>
        <a href="image/2611/kemble.jpg"><IMG SRC="image/2611/kemble.jpg"></a></center>
        <center><b> Kemble’s Cascade </b> <br>
        <b> Image Credit & Copyright: </b> <a href="https://example.org">Ada Lovelace</a></center> <p>
        <b> Explanation: </b> A <a href="ap070713.html">chain</a> of stars: it’s Kemble’s.
        <p> <center><b> Tomorrow's picture: </b> more <p> <hr> Authors & editors: R. Nemiroff
        """

    private static func utf16(_ text: String) -> [UInt8] {
        [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    /// The same entry in the shapes of several archives.
    private func shapes() -> [(name: String, bytes: [UInt8])] {
        let list = JSON.array([better]).document
        let lemon: JSON = [
            "date": .string("\(day)"), "title": "Kemble's Cascade", "has_copyright": true,
            "explanation_html": "A <b>chain</b> of stars: it's Kemble's.",
            "explanation_text": "A chain of stars: it's Kemble's.",
            "credits": [["role": "Image Credit & Copyright", "html": "x", "text": "Ada Lovelace"]],
            "media": ["kind": "image_jpg"],
        ]
        let text = String(decoding: list, as: UTF8.self)
        let windows = Array(text.utf8.map { $0 == UInt8(ascii: "'") ? 0x92 : $0 })
        let padding = JSON.object([
            .init(key: "text", value: .string(String(repeating: "x", count: 700_000)))
        ])
        return [
            ("json/2026-11.json", list),
            ("entry.json", better.document),
            ("years/2026.json", JSON.object([.init(key: "\(day)", value: better)]).document),
            ("all.ndjson", Array("\(better.line)\n\(better.line)\n".utf8)),
            (
                "deep.json",
                JSON.object([.init(key: "data", value: .array([padding, better]))]).document
            ),
            ("lemon.json", lemon.document),
            (
                "picture.jpg.json",
                JSON.object(
                    better.members.map {
                        $0.key == "date"
                            ? .init(key: "date", value: .string("\(day) 00:00:00")) : $0
                    }
                ).document
            ),
            ("bom.json", [0xEF, 0xBB, 0xBF] + list), ("utf16.json", Self.utf16(text)),
            ("windows.json", windows), ("ap261118.html", Array(Self.page.utf8)),
            ("AP261118.HTM", Self.utf16(Self.page)),
        ]
    }

    @Test(arguments: 0..<12)
    func anArchiveRepairsTextsAndTheNextSyncFindsNoEdit(shape: Int) async throws {
        let (name, bytes) = shapes()[shape]
        try await adopt([name: bytes]) { mirror, events, _ in
            let record = try #require(try mirror.store.record(of: day))

            let plain = record.entry.title.replacing("’", with: "'")
            #expect(plain == "Kemble's Cascade", "\(name)")
            let explanation = record.entry.explanation.replacing("’", with: "'")
            #expect(explanation == "A chain of stars: it's Kemble's.", "\(name)")
            #expect(record.entry.explanationHTML?.contains("chain</") ?? false, "\(name)")
            #expect(
                record.entry.credit == "Ada Lovelace" && record.entry.copyright == "Ada Lovelace")
            #expect(record.damagedUpstream[.title] == "Kembles Cascade")
            #expect(record.adoptedFrom?.hasSuffix("/\(name)") ?? false)
            #expect(record.revision == 2)
            #expect(events.count == 1, "\(events)")
            let before = try mirror.traces()
            let summary = await mirror.sync()
            #expect(summary.edited == 0)
            #expect(try mirror.traces() == before)
        }
    }

    @Test func aDryRunReportsEachRepairOnceAndWritesNothing() async throws {
        let files = Dictionary(uniqueKeysWithValues: shapes().map { ($0.name, $0.bytes) })
        try await adopt(files, isDryRun: true) { mirror, events, counts in
            let record = try #require(try mirror.store.record(of: day))
            #expect(record.entry.title == "Kembles Cascade" && record.revision == 1)
            let repairs = events.filter { if case .repaired = $0 { true } else { false } }
            #expect(repairs.count == 1 || repairs.count == 2, "\(events)")
            #expect(counts.notBetter + repairs.count == files.count + 1)
        }
    }

    /// Each with the number of its reports, and whether these are that it is not recognized.
    private static let badInput: [(name: String, text: String)] = [
        ("package.json", #"{"name": "apod", "version": "1.0", "files": [{"date": 20261118}]}"#),
        ("schema.json", #"[{"date": "2026-11-18", "name": "x"}]"#),
        ("future.json", #"[{"date": "2094-11-18", "title": "Kemble's Cascade"}]"#),
        ("never.json", #"{"date": "2020-06-10", "title": "Kemble's Cascade"}"#),
        (
            "logo.json",
            #"{"date": "2026-11-18", "title": "NASA Science", "explanation": "Discover the cosmos! Kemble's", "copyright": "x"}"#
        ),
        ("cut.json", #"[{"date": "2026-11-18", "title": "Kemble's Casc"#), ("empty.json", ""),
        ("garbage.json", "}}}]]"), ("page.json", "<html><body>{}</body></html>"),
        ("ap261118.html", "<title>APOD: 2026 November 18 - Kemble's Cascade</title> moved"),
        ("ap261119.html", page), ("worse.json", "{}"),
    ]

    @Test(arguments: badInput)
    func badInputIsReportedAndChangesNothing(name: String, text: String) async throws {
        try await adopt([name: Array(text.utf8)]) { mirror, events, counts in
            let record = try #require(try mirror.store.record(of: day))
            #expect(record.entry.title == "Kembles Cascade" && record.revision == 1)
            #expect(events.count == 1 && counts.files == 1, "\(events)")
            guard case .unrecognized(name, _) = events.first else {
                Issue.record("\(events)")
                return
            }
        }
    }

    @Test func aFileInUTF16ThatIsTooLongIsNotCalledCutShort() async throws {
        let bytes = [0xFF, 0xFE] + [UInt8](repeating: 0, count: 64 << 20)
        try await adopt(["long.json": bytes]) { _, events, _ in
            guard case .unrecognized(_, let reason)? = events.first else {
                Issue.record("\(events)")
                return
            }
            #expect(reason.contains("UTF-16"))
        }
    }

    @Test func worseAndOtherTextsAreNotTaken() async throws {
        let others: [JSON] = [
            ["date": .string("\(day)"), "title": "Quite Another Title", "explanation": "Other."],
            ["date": .string("\(day)"), "title": "KEMBLES CASCADE", "explanation": "A chain […]"],
            ["date": .string("\(day)"), "title": "", "explanation": .null],
            ["date": "1999-01-01", "title": "A day that is not here"],
        ]
        try await adopt(["all.json": JSON.array(others).document]) { mirror, events, counts in
            let record = try #require(try mirror.store.record(of: day))
            #expect(record.entry.title == "Kembles Cascade" && record.revision == 1)
            #expect(counts.notBetter == 2 && counts.unrecorded == 1)
            #expect(events.count == 1, "\(events)")
        }
    }

    @Test func aListOfAnyLengthTakesBoundedMemory() throws {
        var objects = DatedObjects()
        let entry = Array(better.line.utf8) + Array(",\n".utf8)
        let chunk = Array(repeatElement(entry, count: 1000).joined())
        var count = 0
        objects.read(Array("{\"entries\": [".utf8)) { _ in count += 1 }
        for _ in 0..<20 { objects.read(chunk) { _ in count += 1 } }

        #expect(count == 20_000 && objects.isCut)
        #expect(objects.bytes.capacity < 1 << 20)
    }

    @Test(.enabled(if: RealData.path != nil))
    func theTextsOfTheWholeArchiveAreRepairedAndNoEditIsLost() throws {
        let path = try #require(RealData.path)
        let bytes = try Data(contentsOf: URL(filePath: "\(path)/entries-1995-2019.ndjson"))
        let decoder = ArchiveDecoder()
        var objects = DatedObjects()
        var (days, repaired, wrong) = (0, 0, [String]())
        try objects.read(bytes) { object in
            days += 1
            guard days.isMultiple(of: RealData.step) else { return }
            let entry = try decoder.entry(JSON(parsing: object))
            let whole = DayRecord(entry, after: nil)
            var damaged = whole
            damaged.entry.copyright = nil
            damaged.entry.title = whole.entry.title.filter { !"'’-".contains($0) }.lowercased()
            damaged.entry.explanation =
                switch days % 3 {
                case 0: ""
                case 1 where !whole.entry.explanation.isEmpty:
                    whole.entry.explanation.prefix(100) + " […]"
                default: whole.entry.explanation.filter { !"'’".contains($0) }
                }
            let result =
                damaged.repaired(by: whole.entry, from: "x", at: .distantPast)?.record ?? damaged
            repaired += result == damaged ? 0 : 1
            for field in EntryText.Field.allCases where result.entry[field] != whole.entry[field] {
                wrong.append("\(entry.day) \(field): \(result.entry[field].prefix(80))")
            }
            var edited = whole
            edited.entry.title += " Again"
            edited.entry.explanation = "Edited. \(whole.entry.explanation)"
            if edited.repaired(by: whole.entry, from: "x", at: .distantPast) != nil {
                wrong.append("\(entry.day): an edit was replaced")
            }
        }
        print("repaired \(repaired) of \(days) days, wrong \(wrong.count)")
        #expect(
            days == 8962 && repaired > 8800 / RealData.step && wrong == [], "\(wrong.prefix(10))")
    }

    @Test func aHolderOfTheCopyrightIsNotReplacedByTheCredit() throws {
        let decoder = ArchiveDecoder()
        for credit in [JSON.string("Ada Lovelace"), nil] {
            let entry = try decoder.entry([
                "date": "2026-11-18", "title": "A Title", "has_copyright": true, "credit": credit,
                "copyright": "Grace Hopper",
            ])

            #expect(entry.copyright == "Grace Hopper")
        }
    }
}
