import FoundationEssentials
import Glibc
import Mirror
import Platform
import TestSupport
import Testing
import Transfer

@testable import APOD
@testable import Service

// The clock and NASA.
extension DoctorTests {
    /// A feed with a given response.
    fileprivate struct CannedFeed: Feed {
        let kind = FeedKind.basic
        let route = Route.api
        let response: Result<[Day], FeedError>
        var rejections: [EntryRejection] = []

        func newestPage() async throws(FeedError) -> FeedPage {
            let days = try response.get()
            let entries = days.map {
                Entry(
                    day: $0, title: "The Crab Nebula", explanation: "", mediaType: "image",
                    media: Media(), feed: .basic)
            }
            return FeedPage(entries: entries, rejections: rejections, covered: Day.first...Day.last)
        }

        func entry(of day: Day) async throws(FeedError) -> Entry { throw .notPublished(day) }

        func newestPage(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage {
            throw .unusable("the doctor requests the newest entry only")
        }
    }

    // MARK: Links

    /// As on a full disk, the reason says nothing about links: the directory of the mirror is gone.
    @Test func whatIsNotKnownOfLinksIsAProblem() async throws {
        try await withTemporaryFolder { path in
            let folder = try Directory(opening: path).makeDirectory("gone")
            try #require(unsafe rmdir("\(path)/gone") == 0)

            guard case .problem = DiskChecks(folder: folder, mount: nil).checkLinks() else {
                Issue.record("no problem is reported")
                return
            }
        }
    }

    // MARK: Clock

    @Test func aClockBeforeTheProgramWasBuiltIsAProblem() async throws {
        try await withTemporaryFolder { path in
            let clock = try await Self.check(path, now: Date(timeIntervalSince1970: 0))["clock"]

            #expect(clock?.severity == .problem && clock?.message.contains("was built") == true)
        }
    }

    /// In both directions: the TLS certificates of a test are valid for ever.
    @Test(arguments: [-400.0, 4200])
    func aClockThatIsNotThatOfTheServerIsAProblem(days: Double) async throws {
        try await withTemporaryFolder { path in
            let time = Date().timeIntervalSince1970
            let wrong = try await Self.check(path, serverTime: time + days * 86_400)["clock"]
            let right = try await Self.check(path, serverTime: time + 60)["clock"]

            #expect(wrong?.severity == .problem, "\(wrong?.message ?? "")")
            #expect(wrong?.message.contains("by the clock of NASA's server") == true)
            #expect(right?.severity == .ok, "\(right?.message ?? "")")
        }
    }

    // MARK: NASA

    struct Response: CustomTestStringConvertible {
        let testDescription: String
        let response: Result<[Day], FeedError>
        let result: CheckResult.Severity
        var rejections: [EntryRejection] = []
    }

    static let responses = [
        Response(
            testDescription: "today", response: .success([EmptyFileMirror.today]), result: .ok),
        Response(
            testDescription: "a part that is not valid",
            response: .success([EmptyFileMirror.today]), result: .note,
            rejections: [EntryRejection(day: nil, reason: "without a date")]),
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
                path,
                feed: CannedFeed(response: response.response, rejections: response.rejections),
                now: EmptyFileMirror.now)["nasa"]

            #expect(result?.severity == response.result, "\(String(describing: result))")
            for rejection in response.rejections {
                #expect(result?.message.contains(rejection.reason) == true)
            }
        }
    }
}
