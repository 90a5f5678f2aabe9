import Platform
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct RefreshServiceTests {
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    @Test func anErrorIsLoggedOnceUntilItIsOver() async throws {
        let lines = Monitor<[String]>([])
        let log = Log(environment: [:], output: { line in lines.withLock { $0.append(line) } })
        let changes = ChangeListener("the page service")
        let errors = Monitor(["full", "full", "gone", nil][...])
        let service = RefreshService(
            name: "the page", changes: changes, log: log, failurePause: .zero
        ) { _ in
            guard let error = errors.withLock({ $0.popFirst() }) else {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return []
            }
            if let error { throw Failure(description: error) }
            changes.post(.days)
            return []
        }
        let running = Task(executorPreference: ThreadPoolExecutor.shared) {
            try await service.run()
        }
        await #expect(throws: CancellationError.self) { try await running.value }

        let logged = lines.withLock { $0 }
        #expect(
            logged == [
                "cannot update the page: full\n", "cannot update the page: gone\n",
                "updated the page again\n",
            ])
    }
}
