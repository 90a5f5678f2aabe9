import FoundationEssentials
import Testing
import Transfer

@testable import APOD
@testable import Mirror

/// Where a day stands after an attempt, and when the next one is.
@Suite struct DayStateTests {
    typealias Cause = RetryState.Cause

    static let start = Date(timeIntervalSince1970: 1_795_000_000)
    let start = Self.start

    static func retry(_ cause: Cause, hasFiles: Bool = false) -> RetryState {
        var retry = RetryState(cause, "…", after: nil, at: start)
        retry.hasFiles = hasFiles
        return retry
    }

    static let states: [DayState] = [
        .unknown, .retried(retry(.unreachable)), .retried(retry(.noStill)),
        .retried(retry(.reduced, hasFiles: true)), .complete, .removed,
    ]

    private func name(_ state: DayState) -> String {
        switch state {
        case .unknown: "unknown"
        case .retried(let retry): retry.hasFiles ? "partial" : retry.cause.rawValue
        case .complete: "complete"
        case .removed: "removed"
        }
    }

    static let downloaded = EntryOutcome.Result.downloaded(path: "p", bytes: 1)
    static func failed(_ cause: Cause) -> EntryOutcome.Result {
        .incomplete(DayProblem(cause, "…"))
    }

    static func missing(_ cause: Cause) -> EntryOutcome.Result {
        .missing(DayProblem(cause, "…"))
    }

    /// A row is an outcome, a column a state of ``states``.
    @Test(
        arguments: [
            (downloaded, true, "complete complete complete complete complete complete"),
            (.removed(bytes: 1), true, "removed removed removed removed removed removed"),
            (.edited, true, "complete complete complete complete complete complete"),
            (.edited, false, "unknown unreachable no-still partial complete removed"),
            (.unchanged, true, "complete complete complete complete complete complete"),
            (.unchanged, false, "unknown unreachable no-still partial complete removed"),
            (
                failed(.unreachable), true,
                "unreachable unreachable no-still partial complete unreachable"
            ),
            (
                failed(.localError), true,
                "local-error local-error no-still partial complete local-error"
            ),
            (failed(.lost), true, "lost lost lost partial complete lost"),
            (missing(.lost), true, "lost lost lost lost lost lost"),
            (
                missing(.unreachable), true,
                "unreachable unreachable no-still unreachable unreachable unreachable"
            ),
            (
                failed(.unpublished), true,
                "unpublished unpublished unpublished partial complete unpublished"
            ),
            (
                .partial(DayProblem(.unreachable, "…")), true,
                "partial partial partial partial partial partial"
            ),
            (
                .noSpace(Obstacle(.space, "full")), true,
                "unknown unreachable no-still partial complete removed"
            ),
            (.cancelled, true, "unknown unreachable no-still partial complete removed"),
        ] as [(EntryOutcome.Result, Bool, String)])
    func anOutcomeLeadsToOneState(
        result: EntryOutcome.Result, didRequestFiles: Bool, expected: String
    ) {
        let outcome = EntryOutcome(.first, didRequestFiles: didRequestFiles, result)
        let after = Self.states.map { name($0.after(outcome, at: start)) }

        #expect(after.joined(separator: " ") == expected)
    }

    @Test func theStateAtStartFollowsFromTheTreeAndTheLastAttempt() {
        let saved = [nil, Self.retry(.unreachable), Self.retry(.unusable, hasFiles: true)]
        let names = [(true, true), (false, true), (false, false)].flatMap { hasFiles, isRecorded in
            saved.map {
                name(DayState(hasFiles: hasFiles, isRecorded: isRecorded, saved: $0))
            }
        }

        #expect(
            names == [
                "complete", "complete", "partial", "removed", "unreachable", "unusable", "unknown",
                "unreachable", "unusable",
            ])
    }

    /// Whether the day is partial or missing makes no difference.
    @Test(arguments: [
        (Cause.unreachable, true, true), (.localError, true, true), (.unusable, false, true),
        (.doesNotFit, false, true), (.reduced, false, false), (.noStill, false, true),
        (.noImage, false, false), (.unfinished, false, false),
    ])
    func theCauseAloneDecidesWhetherADayIsDueBeforeItsTime(
        cause: Cause, isDueAtStart: Bool, isDueOnce: Bool
    ) {
        for hasFiles in [false, true] {
            let retry = Self.retry(cause, hasFiles: hasFiles)
            let state = DayState.retried(retry)
            #expect(!state.isDue(at: start) && state.isDue(at: retry.next))
            #expect(state.isDue(at: start, retry: .transient) == isDueAtStart)
            #expect(state.isDue(at: start, retry: .anyFailure) == isDueOnce)
        }
    }

    /// A day whose still image only lacks room, or a network or a disk that works, is missing; the image comes with its attempt.
    @Test(arguments: [
        (Cause.unusable, Cause.noStill), (.unreachable, .unreachable), (.doesNotFit, .doesNotFit),
        (.localError, .localError),
    ])
    func aDayOfVideoLacksItsStillForTheReasonOfTheImage(picture: Cause, day: Cause) {
        let entry = Entry(
            day: .first, title: "x", explanation: "", mediaType: "video", permalink: nil,
            media: Media(video: "https://example.com/video"), feed: .basic)
        let problem = DayProblem(
            ofDayWithoutFiles: entry, picture: DayProblem(picture, "a reason"), video: nil)

        #expect(problem.cause == day)
    }

    /// The still image of a video may come at any time, too.
    @Test func aVideoWhoseStillIsRefusedIsNotMissingAndRequestedAtAStart() {
        let entry = Entry(
            day: .first, title: "x", explanation: "", mediaType: "video", permalink: nil,
            media: Media(video: "https://example.com/video"), feed: .basic)
        let problem = DayProblem(
            ofDayWithoutFiles: entry, picture: DayProblem(.unusable, "403", .refusal), video: nil)
        var state = DayState.unknown

        // The network may fail afterwards.
        for problem in [problem, DayProblem(.unreachable, "no response")] {
            state = state.after(EntryOutcome(.first, .missing(problem)), at: start)

            #expect(state.retry?.hasNoPicture == true)
            #expect(state.isDue(at: start, retry: .transient))
        }
    }

    /// Whether the answer is about the file, or says nothing about it; see ``DayProblem/Detail/refusal``.
    @Test(arguments: [
        (TransferError.refused(address: "a", status: 401, body: []), true),
        (.refused(address: "a", status: 403, body: []), true),
        (.refused(address: "a", status: 451, body: []), true),
        (.refused(address: "a", status: 404, body: []), false),
        (.refused(address: "a", status: 410, body: []), false),
        (.refused(address: "a", status: 503, body: []), false),
        (.blocked(address: "a", reason: "it resolves to 0.0.0.0"), true),
        (.forbidden(address: "a", reason: "port 22"), false),
        (.tooLong(address: "a", limit: 1), false),
    ])
    func anAnswerThatIsNotAboutTheFileIsARefusal(error: TransferError, isRefusal: Bool) throws {
        #expect(try DayProblem(error, of: "a").isRefusal == isRefusal)
    }

    @Test func aRetryIsSaved() throws {
        let retries = [Day.first: Self.retry(.reduced, hasFiles: true)]
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let document = Data(retries.stateDocument)
        #expect(try decoder.decode([Day: RetryState].self, from: document) == retries)
    }

    // MARK: Delays

    /// In minutes, as documented.
    @Test(arguments: [
        (Cause.unreachable, 10, 1440), (.localError, 10, 1440), (.unpublished, 10, 30 * 1440),
        (.unusable, 10, 60 * 1440), (.lost, 10, 60 * 1440), (.reduced, 60, 60 * 1440),
        (.doesNotFit, 60, 60 * 1440), (.unfinished, 1440, 1440),
        (.noStill, 10, 60 * 1440), (.noImage, 360, 60 * 1440),
    ])
    func aDayIsRetriedWithGrowingDelaysAndNeverGivenUp(cause: Cause, first: Int, longest: Int) {
        var state = Self.retry(cause)
        var pauses = [state.next.timeIntervalSince(start)]
        for _ in 0..<40 {
            let now = state.next
            state = RetryState(cause, "…", after: state, at: now)
            pauses.append(state.next.timeIntervalSince(now))
        }

        #expect(pauses == pauses.sorted())
        #expect(pauses.first == Double(first) * 60 && pauses.last == Double(longest) * 60)
        #expect(state.attempts == 41 && state.since == start)
    }

    /// A sync that was requested, or an edit by NASA, makes an attempt before its time.
    @Test func anEarlyAttemptDoesNotLengthenTheDelay() {
        let first = Self.retry(.lost)
        var state = RetryState(.lost, "…", after: first, at: first.next)
        let delay = state.next.timeIntervalSince(state.last)
        for second in 1..<10 {
            let now = state.last.addingTimeInterval(Double(second))
            state = RetryState(.lost, "…", after: state, at: now)
            #expect(state.next.timeIntervalSince(now) == delay)
        }

        #expect(delay == 3 * first.next.timeIntervalSince(first.last))
    }

    @Test func aRefusedFileIsRequestedAtLeastDailyForThirtyDays() {
        var state = Self.retry(.unusable)
        var delays: [Double] = []
        for _ in 0..<20 {
            state = RetryState(.unusable, "403", isRefused: true, after: state, at: state.next)
            delays.append(state.next.timeIntervalSince(state.last))
        }

        #expect(delays == delays.sorted())
        #expect(delays.first == 600 && delays.last == 86_400)
        for _ in 0..<40 {
            state = RetryState(.unusable, "403", isRefused: true, after: state, at: state.next)
        }
        #expect(state.isRefused == nil && state.next > state.last.addingTimeInterval(86_400))
    }

    @Test func anotherCauseRestartsTheDelays() {
        var state = Self.retry(.unpublished)
        for _ in 0..<10 { state = RetryState(.unpublished, "…", after: state, at: start) }
        let other = RetryState(.unreachable, "…", after: state, at: start)

        #expect(other.next == Self.retry(.unreachable).next)
        #expect(other.attempts == 12)
    }

    /// A state without an attempt has no time before the mirror existed.
    @Test func aDayThatIsDueAtOnceHasNoAttempt() {
        let state = RetryState(dueAt: start, cause: .reduced, reason: "…", after: nil)
        let failed = RetryState(.lost, "…", after: state, at: start)

        #expect(state.attempts == 0 && state.next == start && state.since == start)
        #expect(!failed.hasNoPicture && failed.attempts == 1)
    }
}
