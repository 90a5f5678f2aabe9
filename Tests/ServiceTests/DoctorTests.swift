import FoundationEssentials
import Glibc
import Mirror
import Platform
import Service
import TestSupport
import Testing
import Transfer

@testable import APOD

@Suite(.serialized, .watching, .timeLimit(.minutes(10))) struct DoctorTests {
    /// A feed with a given response.
    private struct CannedFeed: Feed {
        let kind = FeedKind.basic
        let response: Result<[Day], FeedError>

        func newest() async throws(FeedError) -> FeedPage {
            let days = try response.get()
            let entries = days.map {
                Entry(
                    day: $0, title: "The Crab Nebula", explanation: "", mediaType: "image",
                    media: Media(), feed: .basic)
            }
            return FeedPage(entries: entries, covered: Day.first...Day.last)
        }

        func entry(of day: Day) async throws(FeedError) -> Entry { throw .notPublished(day) }

        func pager(
            over days: ClosedRange<Day>, permit: @escaping RequestPermit
        ) async throws(FeedError) -> any FeedPager {
            throw .unusable("the doctor requests the newest entry only")
        }
    }

    private static func check(
        _ root: String, minimumFree: Int = 0, feed: (any Feed)? = nil,
        thumbnailer: String? = "/bin/true", environment: [String: String] = [:],
        now: Date = Date()
    ) async throws -> [String: CheckResult] {
        let doctor = try Doctor(
            root: root, known: KnownMirrors(environment: [:]), minimumFree: minimumFree, feed: feed,
            thumbnailer: thumbnailer, environment: environment, now: { now })
        var results: [CheckResult] = []
        try await doctor.run { results.append($0) }
        #expect(Set(results.map(\.name)).count == results.count)
        #expect(results.allSatisfy { ($0.severity == .ok) == ($0.remedy == nil) })
        return Dictionary(uniqueKeysWithValues: results.map { ($0.name, $0) })
    }

    private static let checks: Set = [
        "mirror", "write", "fsync", "events", "symlinks", "space", "favorites", "clock",
        "thumbnailer",
    ]

    // MARK: Directories

    @Test(arguments: ["apod", "far/away/apod"])
    func aDirectoryWithoutAMirrorIsNotChanged(place: String) async throws {
        // Tests of other suites in this process may use all descriptors below 1024, which inotify needs.
        await #expect(processExitsWith: .success) { [place] in
            try await withTemporaryFolder { path in
                let results = try await Self.check("\(path)/\(place)")

                #expect(Set(results.keys) == Self.checks)
                #expect(results["mirror"]?.severity == .note)
                for name in ["events", "symlinks"] {
                    let result = try #require(results[name])
                    #expect(result.severity == .ok, "\(result)")
                }
                #expect(try Directory(opening: path).names() == [])
            }
        }
    }

    @Test func anEmptyDirectoryStaysEmpty() async throws {
        try await withTemporaryFolder { path in
            let results = try await Self.check(path)

            #expect(results["mirror"]?.severity == .note)
            #expect(try Directory(opening: path).names() == [])
        }
    }

    @Test func aRunningDaemonIsNotDisturbed() async throws {
        await #expect(processExitsWith: .success) {
            try await withTemporaryFolder { path in
                let mirror = try EmptyFileMirror(path)
                try mirror.add(0...2)
                _ = try mirror.tree.root.makeDirectory("favorites")

                let results = try await Self.check(path)

                #expect(results["mirror"]?.message.hasSuffix("process \(getpid())") == true)
                #expect(results.values.allSatisfy { $0.severity != .problem })
                #expect(try mirror.tree.root.folder(Layout.incoming)?.names() == [])
                #expect(mirror.tree.writer == getpid())
            }
        }
    }

    @Test func foreignFilesAreAProblem() async throws {
        try await withTemporaryFolder { path in
            _ = try Directory(opening: path).makeDirectory("photos")

            let results = try await Self.check(path)

            #expect(results["mirror"]?.severity == .problem)
            #expect(try Directory(opening: path).textNames() == ["photos"])
        }
    }

    /// A doctor that was killed during its checks in a directory without a mirror.
    @Test func leftoversOfAKilledDoctorAreRemoved() async throws {
        try await withTemporaryFolder { path in
            let left = try Directory(opening: path).makeDirectory("\(Layout.doctor)2147483646")
            _ = try left.open("doctor-2147483646-right", O_WRONLY | O_CREAT)
            _ = try Tree.writing(path, known: KnownMirrors(environment: [:]))
            removeTree("\(path)/\(Layout.own)")

            let results = try await Self.check(path)

            #expect(results["mirror"]?.severity == .note)
            #expect(try Directory(opening: path).names() == [])
        }
    }

    // MARK: Results

    @Test func aLibraryThatSkipsSyncsIsAProblem() async throws {
        try await withTemporaryFolder { path in
            let results = try await Self.check(
                path, environment: ["LD_PRELOAD": "/usr/lib/libeatmydata.so"])

            #expect(results["fsync"]?.severity == .problem)
        }
    }

    @Test func aFileSystemInMemoryIsANote() async throws {
        try await withTemporaryFolder(inMemory: true) { path in
            let type = Mount(of: try Directory(opening: path))?.type
            let results = try await Self.check(path)

            let isNoted = results["fsync"]?.message.hasPrefix("tmpfs is in memory") == true
            #expect(isNoted == (type == "tmpfs"))
        }
    }

    @Test func exhaustedInotifyInstancesAreAProblemWithTheSettingToRaise() async throws {
        await #expect(processExitsWith: .success) {
            // The limit of the user, 128 by default; closed when this process ends.
            while inotify_init() >= 0 {}
            try await withTemporaryFolder { path in
                let result = try await Self.check(path)["events"]

                #expect(result?.severity == .problem)
                #expect(result?.message.contains("instances of this user are in use: ") == true)
                #expect(result?.remedy?.hasPrefix("raise fs.inotify.max_user_instances") == true)
            }
        }
    }

    @Test func aFullDiskIsAProblem() async throws {
        try await withTemporaryFolder { path in
            let full = try await Self.check(path, minimumFree: 1 << 60)["space"]
            let empty = try await Self.check(path)["space"]

            #expect(full?.severity == .problem && empty?.severity == .ok)
        }
    }

    @Test func aClockBeforeTheNewestDayIsAProblem() async throws {
        try await withTemporaryFolder { path in
            let mirror = try EmptyFileMirror(path)
            try mirror.add(0...0)
            let midnight = EmptyFileMirror.now - 43_200

            let before = try await Self.check(path, now: midnight - 1)["clock"]
            let after = try await Self.check(path, now: max(midnight, Date()))["clock"]

            #expect(before?.severity == .problem && before?.message.contains("2026-11-20") == true)
            #expect(after?.severity == .ok)
        }
    }

    @Test(arguments: [true, false])
    func aRecordWithAFutureDateDoesNotBlameTheClock(isRecorded: Bool) async throws {
        try await withTemporaryFolder { path in
            let mirror = try EmptyFileMirror(path)
            try mirror.add(0...3)
            try mirror.add(-20_000 ... -20_000)
            if isRecorded { try mirror.saveState { $0.newest = EmptyFileMirror.today } }

            let clock = try await Self.check(path, now: max(EmptyFileMirror.now, Date()))["clock"]

            #expect(clock?.severity == .ok, "\(clock?.message ?? "")")
        }
    }

    @Test func aClockBeforeTheProgramWasBuiltIsAProblem() async throws {
        try await withTemporaryFolder { path in
            let clock = try await Self.check(path, now: Date(timeIntervalSince1970: 0))["clock"]

            #expect(clock?.severity == .problem && clock?.message.contains("was built") == true)
        }
    }

    @Test func aMissingThumbnailerIsANote() async throws {
        try await withTemporaryFolder { path in
            let none = try await Self.check(path, thumbnailer: nil)["thumbnailer"]
            let other = try await Self.check(path, thumbnailer: "/etc/passwd")["thumbnailer"]
            let right = try await Self.check(path)["thumbnailer"]

            #expect(
                none?.severity == .note && other?.severity == .problem && right?.severity == .ok)
        }
    }

    struct DirectoryPermissions: CustomTestStringConvertible {
        let mode: UInt32
        let result: CheckResult.Severity
        let says: String
        var testDescription: String { String(mode, radix: 8) }
    }

    @Test(arguments: [
        DirectoryPermissions(mode: 0o755, result: .ok, says: "may create links (mode 755)"),
        DirectoryPermissions(mode: 0o2775, result: .ok, says: ", group "),
        DirectoryPermissions(
            mode: 0o777, result: .note, says: "anybody may create links (mode 777), and delete"),
        DirectoryPermissions(mode: 0o1777, result: .ok, says: "anybody"),
        DirectoryPermissions(mode: 0o555, result: .problem, says: "not even"),
    ])
    func doctorNamesWhoMayCreateLinks(rights: DirectoryPermissions) async throws {
        try await withTemporaryFolder { path in
            let mirror = try EmptyFileMirror(path)
            _ = try mirror.tree.root.makeDirectory("favorites")
            unsafe chmod("\(path)/favorites", rights.mode)

            let results = try await Self.check(path)
            let result = try #require(results["favorites"])

            #expect(result.severity == rights.result, "\(result)")
            #expect(result.message.contains(rights.says), "\(result)")
        }
    }

    @Test func aLinkInPlaceOfFavoritesIsAProblem() async throws {
        try await withTemporaryFolder { path in
            let mirror = try EmptyFileMirror(path)
            try mirror.tree.root.symlink("favorites", to: "/etc")

            let result = try await Self.check(path)["favorites"]
            #expect(result?.severity == .problem)
        }
    }

    // MARK: NASA

    struct Response: CustomTestStringConvertible {
        let testDescription: String
        let response: Result<[Day], FeedError>
        let result: CheckResult.Severity
    }

    static let responses = [
        Response(
            testDescription: "today", response: .success([EmptyFileMirror.today]), result: .ok),
        Response(
            testDescription: "old", response: .success([EmptyFileMirror.today.advanced(by: -5)]),
            result: .note),
        Response(
            testDescription: "yet to come",
            response: .success([EmptyFileMirror.today.advanced(by: 5)]), result: .note),
        Response(testDescription: "nothing", response: .success([]), result: .problem),
        Response(
            testDescription: "nonsense", response: .failure(.unusable("HTML in place of JSON")),
            result: .problem),
        Response(
            testDescription: "silence",
            response: .failure(.transfer(.unreachable(address: "http://x", reason: "no route"))),
            result: .problem),
    ]

    @Test(arguments: responses)
    func theResponseOfNASAIsChecked(response: Response) async throws {
        try await withTemporaryFolder { path in
            let result = try await Self.check(
                path, feed: CannedFeed(response: response.response), now: EmptyFileMirror.now)[
                    "nasa"]

            #expect(result?.severity == response.result, "\(String(describing: result))")
        }
    }
}
