import FoundationEssentials
import Glibc
import Mirror
import Platform
import Service
import TestSupport
import Testing
import Transfer

@testable import APOD

@Suite(.serialized, .watching, .timeLimit(.minutes(1))) struct DoctorTests {
    /// Answers what a test wants.
    private struct CannedFeed: Feed {
        let kind = FeedKind.basic
        let answer: Result<[Day], FeedError>

        func newest() async throws(FeedError) -> FeedPage {
            let days = try answer.get()
            let entries = days.map {
                Entry(
                    day: $0, title: "The Crab Nebula", explanation: "", mediaType: "image",
                    media: Media(), feed: .basic)
            }
            return FeedPage(entries: entries, covered: Day.first...Day.last)
        }

        func entry(of day: Day) async throws(FeedError) -> Entry { throw .notPublished(day) }

        func pager(over days: ClosedRange<Day>) async throws(FeedError) -> any FeedPager {
            throw .unusable("the doctor requests the newest entry only")
        }
    }

    private func examine(
        _ root: String, minimumFree: Int = 0, feed: (any Feed)? = nil,
        thumbnailer: String? = "/bin/true", environment: [String: String] = [:],
        now: Date = Date()
    ) async throws -> [String: CheckResult] {
        let patient = try DoctorContext(root: root, known: KnownMirrors(environment: [:]))
        let doctor = Doctor(
            patient, minimumFree: minimumFree, feed: feed, thumbnailer: thumbnailer,
            environment: environment, now: { now })
        var findings: [CheckResult] = []
        try await doctor.examine { findings.append($0) }
        #expect(Set(findings.map(\.name)).count == findings.count)
        // Whoever is told of a problem is told what to do.
        #expect(findings.allSatisfy { $0.result != .problem || $0.remedy != nil })
        return Dictionary(uniqueKeysWithValues: findings.map { ($0.name, $0) })
    }

    private static let checks: Set = [
        "mirror", "write", "fsync", "events", "symlinks", "hardlinks", "reflinks", "attributes",
        "case", "space", "inotify", "favorites", "clock", "thumbnailer",
    ]

    // MARK: Where it looks

    @Test(arguments: ["apod", "far/away/apod"])
    func aPlaceWithoutAMirrorIsLeftAsItIs(place: String) async throws {
        try await withTemporaryFolder { path in
            let findings = try await examine("\(path)/\(place)")

            #expect(Set(findings.keys) == Self.checks)
            #expect(findings["mirror"]?.result == .note)
            for name in ["events", "symlinks"] {
                let finding = try #require(findings[name])
                #expect(finding.result == .ok, "\(finding)")
            }
            #expect(try Directory(opening: path).names() == [])
        }
    }

    @Test func anEmptyDirectoryStaysEmpty() async throws {
        try await withTemporaryFolder { path in
            let findings = try await examine(path)

            #expect(findings["mirror"]?.result == .note)
            #expect(try Directory(opening: path).names() == [])
        }
    }

    @Test func aMirrorThatIsKeptIsNotDisturbed() async throws {
        try await withTemporaryFolder { path in
            let mirror = try PaperMirror(path)
            try mirror.add(0...2)
            _ = try mirror.tree.root.makeDirectory("favorites")

            let findings = try await examine(path)

            #expect(findings["mirror"]?.message.hasSuffix("kept by process \(getpid())") == true)
            #expect(findings.values.allSatisfy { $0.result != .problem })
            #expect(try mirror.tree.root.folder(Layout.incoming)?.names() == [])
            #expect(mirror.tree.writer == getpid())
        }
    }

    @Test func somebodyElsesFilesAreAProblem() async throws {
        try await withTemporaryFolder { path in
            _ = try Directory(opening: path).makeDirectory("photos")

            let findings = try await examine(path)

            #expect(findings["mirror"]?.result == .problem)
            #expect(try Directory(opening: path).textNames() == ["photos"])
        }
    }

    /// One who was killed while he tried things out where there was no mirror yet.
    @Test func whatAKilledDoctorLeftIsInNobodysWay() async throws {
        try await withTemporaryFolder { path in
            let left = try Directory(opening: path).makeDirectory("\(Layout.doctor)2147483646")
            _ = try left.open("doctor-2147483646-right", O_WRONLY | O_CREAT)
            _ = try Tree.writing(path, known: KnownMirrors(environment: [:]))
            removeTree("\(path)/\(Layout.own)")

            let findings = try await examine(path)

            #expect(findings["mirror"]?.result == .note)
            #expect(try Directory(opening: path).names() == [])
        }
    }

    // MARK: What it finds

    @Test func aLibraryThatSkipsSyncsIsAProblem() async throws {
        try await withTemporaryFolder { path in
            let findings = try await examine(
                path, environment: ["LD_PRELOAD": "/usr/lib/libeatmydata.so"])

            #expect(findings["fsync"]?.result == .problem)
        }
    }

    @Test func memoryIsNoDisk() async throws {
        try await withTemporaryFolder(inMemory: true) { path in
            let type = Mount(of: try Directory(opening: path))?.type
            let findings = try await examine(path)

            let isNoted = findings["fsync"]?.message.hasPrefix("tmpfs lies in memory") == true
            #expect(isNoted == (type == "tmpfs"))
        }
    }

    @Test func aFullDiskIsAProblem() async throws {
        try await withTemporaryFolder { path in
            let full = try await examine(path, minimumFree: 1 << 60)["space"]
            let empty = try await examine(path)["space"]

            #expect(full?.result == .problem && empty?.result == .ok)
        }
    }

    @Test func aClockBeforeTheNewestDayIsAProblem() async throws {
        try await withTemporaryFolder { path in
            let mirror = try PaperMirror(path)
            try mirror.add(0...0)
            let midnight = PaperMirror.now - 43_200

            let before = try await examine(path, now: midnight - 1)["clock"]
            let after = try await examine(path, now: max(midnight, Date()))["clock"]

            #expect(before?.result == .problem && before?.message.contains("2026-11-20") == true)
            #expect(after?.result == .ok)
        }
    }

    @Test(arguments: [true, false])
    func aRecordThatIsDatedInTheFutureSaysNothingOfTheClock(isRemembered: Bool) async throws {
        try await withTemporaryFolder { path in
            let mirror = try PaperMirror(path)
            try mirror.add(0...3)
            try mirror.add(-20_000 ... -20_000)
            if isRemembered { try mirror.remember { $0.newest = PaperMirror.today } }

            let clock = try await examine(path, now: max(PaperMirror.now, Date()))["clock"]

            #expect(clock?.result == .ok, "\(clock?.message ?? "")")
        }
    }

    @Test func aClockBeforeTheProgramWasBuiltIsAProblem() async throws {
        try await withTemporaryFolder { path in
            let clock = try await examine(path, now: Date(timeIntervalSince1970: 0))["clock"]

            #expect(clock?.result == .problem && clock?.message.contains("was built") == true)
        }
    }

    @Test func aThumbnailerThatIsNotThereIsNoted() async throws {
        try await withTemporaryFolder { path in
            let none = try await examine(path, thumbnailer: nil)["thumbnailer"]
            let other = try await examine(path, thumbnailer: "/etc/passwd")["thumbnailer"]
            let right = try await examine(path)["thumbnailer"]

            #expect(none?.result == .note && other?.result == .problem && right?.result == .ok)
        }
    }

    struct DirectoryPermissions: CustomTestStringConvertible {
        let mode: UInt32
        let result: CheckResult.Result
        let says: String
        var testDescription: String { String(mode, radix: 8) }
    }

    @Test(arguments: [
        DirectoryPermissions(mode: 0o755, result: .ok, says: "may drop links (mode 755)"),
        DirectoryPermissions(mode: 0o2775, result: .ok, says: ", group "),
        DirectoryPermissions(
            mode: 0o777, result: .note, says: "anybody may drop links (mode 777), and remove"),
        DirectoryPermissions(mode: 0o1777, result: .ok, says: "anybody"),
        DirectoryPermissions(mode: 0o555, result: .problem, says: "not even"),
    ])
    func whoMayDropLinksIsSaid(rights: DirectoryPermissions) async throws {
        try await withTemporaryFolder { path in
            let mirror = try PaperMirror(path)
            _ = try mirror.tree.root.makeDirectory("favorites")
            unsafe chmod("\(path)/favorites", rights.mode)

            let findings = try await examine(path)
            let finding = try #require(findings["favorites"])

            #expect(finding.result == rights.result, "\(finding)")
            #expect(finding.message.contains(rights.says), "\(finding)")
        }
    }

    @Test func aLinkInPlaceOfFavoritesIsAProblem() async throws {
        try await withTemporaryFolder { path in
            let mirror = try PaperMirror(path)
            try mirror.tree.root.symlink("favorites", to: "/etc")

            let finding = try await examine(path)["favorites"]
            #expect(finding?.result == .problem)
        }
    }

    // MARK: NASA

    struct Answer: CustomTestStringConvertible {
        let testDescription: String
        let answer: Result<[Day], FeedError>
        let result: CheckResult.Result
    }

    static let answers = [
        Answer(testDescription: "today", answer: .success([PaperMirror.today]), result: .ok),
        Answer(
            testDescription: "old", answer: .success([PaperMirror.today.advanced(by: -5)]),
            result: .note),
        Answer(
            testDescription: "yet to come",
            answer: .success([PaperMirror.today.advanced(by: 5)]), result: .note),
        Answer(testDescription: "nothing", answer: .success([]), result: .problem),
        Answer(
            testDescription: "nonsense", answer: .failure(.unusable("HTML in place of JSON")),
            result: .problem),
        Answer(
            testDescription: "silence",
            answer: .failure(.transfer(.unreachable(address: "http://x", reason: "no route"))),
            result: .problem),
    ]

    @Test(arguments: answers)
    func whatNASAAnswersIsJudged(answer: Answer) async throws {
        try await withTemporaryFolder { path in
            let finding = try await examine(
                path, feed: CannedFeed(answer: answer.answer), now: PaperMirror.now)["nasa"]

            #expect(finding?.result == answer.result, "\(String(describing: finding))")
        }
    }
}
