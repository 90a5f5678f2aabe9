import Platform
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(1))) struct TreeNewsTests {
    /// News without that of the start, that all may have changed.
    private func latest() async throws -> ChangeListener {
        let news = ChangeListener()
        #expect(try await news.next() == .all)
        return news
    }

    @Test func changesUntilTheMomentAreOne() async throws {
        let news = try await latest()
        let moment = ContinuousClock.now + .milliseconds(50)
        news.put(.days)
        async let changes = news.next(notBefore: moment)
        news.put(.favorites)

        #expect(try await changes == [.days, .favorites])
        #expect(.now >= moment)
    }

    @Test func changesThatSettleAreOne() async throws {
        let news = try await latest()
        let start = ContinuousClock.now
        news.put(.days)
        async let changes = news.next(settling: .milliseconds(50))
        news.put(.thumbnails)

        #expect(try await changes == [.days, .thumbnails])
        #expect(start.duration(to: .now) >= .milliseconds(50))
    }

    @Test func whoWaitsAnswersAndThatIsNoChange() async throws {
        let news = try await latest()
        async let changes = news.next()
        for _ in 0..<3 { try await news.answer() }
        news.put(.days)

        #expect(try await changes == .days)
    }

    /// A large gallery rests for minutes.
    @Test func whoRestsAnswersToo() async throws {
        let news = try await latest()
        news.put(.days)
        let rest = Task(executorPreference: ThreadPoolExecutor.shared) {
            try await news.next(notBefore: .now + .seconds(3600))
        }
        for _ in 0..<3 { try await news.answer() }

        rest.cancel()
        await #expect(throws: CancellationError.self) { _ = try await rest.value }
    }

    @Test func whoWorksAnswersWithEachFileThatIsOpened() async throws {
        let news = try await latest()
        let folder = try Directory(opening: "/tmp")
        let work = Task(executorPreference: ThreadPoolExecutor.shared) {
            await news.whileWorking { while !Task.isCancelled { _ = try? folder.open(".", 0) } }
        }
        for _ in 0..<3 { try await news.answer() }

        work.cancel()
        await work.value
    }
}
