import Platform
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(1))) struct RefreshLoopTests {
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    @Test func anErrorIsLoggedOnceUntilItIsOver() async throws {
        let lines = Monitor<[String]>([])
        let log = Log(environment: [:], output: { line in lines.withLock { $0.append(line) } })
        let loop = RefreshLoop(
            name: "the page", changes: ChangeListener(), log: log, failurePause: .zero)
        let running = Task(executorPreference: ThreadPoolExecutor.shared) {
            var errors = ["full", "full", "gone", nil].makeIterator()
            try await loop.run { _ in
                guard let error = errors.next() else {
                    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                    return nil
                }
                if error == nil { loop.changes.post(.days) }
                return error.map(Failure.init)
            }
        }
        await #expect(throws: CancellationError.self) { try await running.value }

        let logged = lines.withLock { $0 }
        #expect(logged == ["full\n", "gone\n", "updated the page again\n"])
    }
}
