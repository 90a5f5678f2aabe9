import FoundationEssentials
import Glibc
import Mirror
import Platform
import TestSupport
import Testing

@testable import Service
@testable import Views

@Suite(.timeLimit(.minutes(10))) struct ViewServiceTests {
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A view that fails with the first of `failures`, until one is `nil`; then it may ask for another update.
    private struct PageView: View {
        static let title = "the page"
        let failures: Monitor<ArraySlice<String?>>
        let outcome: ViewOutcome

        init(failing failures: [String?], _ outcome: ViewOutcome = ViewOutcome()) {
            self.failures = Monitor(failures[...])
            self.outcome = outcome
        }
        init?(_ settings: ViewSettings) { nil }

        func update(_ input: ViewInput) throws -> ViewOutcome {
            if let failure = failures.withLock({ $0.popFirst() }) ?? nil {
                throw Failure(description: failure)
            }
            return outcome
        }
    }

    /// A view that needs no favorites.
    private struct NewestView: View {
        static let title = "the newest day"
        static let showsFavorites = false
        let updates = Monitor(0)

        init() {}
        init?(_ settings: ViewSettings) { nil }

        func update(_ input: ViewInput) -> ViewOutcome {
            updates.withLock { $0 += 1 }
            return ViewOutcome()
        }
    }

    /// Runs a service of these views until `updates` rounds are done; returns what it logged.
    private func log(
        of views: [any View], updates: Int, favoritesError: SystemError? = nil
    ) async throws -> [String] {
        try await withTemporaryFolder { folder in
            let tree = try Tree.writing("\(folder)/apod", known: KnownMirrors(environment: [:]))
            let store = try Store(tree: tree, minimumFree: 0)
            let lines = Monitor<[String]>([])
            let left = Monitor(updates)
            let changes = ChangeListener()
            let service = ViewService(
                views: views, changes: changes,
                log: Log(environment: [:], output: { line in lines.withLock { $0.append(line) } }),
                backoff: Backoff(first: .zero, factor: 1, longest: .zero)
            ) {
                try ViewInput(
                    store: store, snapshot: TreeSnapshot(of: tree.root),
                    favoritesError: favoritesError, thumbnails: nil)
            } didUpdate: { _ in
                let isLast = left.withLock { left in
                    left -= 1
                    return left == 0
                }
                if isLast { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            }
            let running = Task(executorPreference: ThreadPoolExecutor.shared) {
                try await service.run()
            }
            await #expect(throws: CancellationError.self) { try await running.value }
            return lines.withLock(\.self)
        }
    }

    @Test func aFailureIsRetriedAndLoggedOnce() async throws {
        let view = PageView(failing: ["full", "full", "gone", nil])

        #expect(
            try await log(of: [view], updates: 4) == [
                "cannot update the page: full\n", "cannot update the page: gone\n",
            ])
    }

    /// As after a conversion that lacked memory, and while a file cannot be read.
    @Test(arguments: [true, false])
    func aViewIsUpdatedAgainThoughNothingChanges(isIncomplete: Bool) async throws {
        var outcome = ViewOutcome()
        if isIncomplete {
            let error = SystemError("read", path: "p", code: EIO)
            outcome.addReadErrors([error], consequence: "it is left as it is")
        } else {
            outcome.requestUpdate(at: Date())
        }

        let lines = try await log(of: [PageView(failing: [], outcome)], updates: 3)
        let problem = "read p: Input/output error; it is left as it is\n"
        #expect(lines == (isIncomplete ? [problem] : []))
    }

    @Test func favoritesThatCannotBeReadStopOnlyTheViewsThatShowThem() async throws {
        let (newest, page) = (NewestView(), PageView(failing: ["not updated"]))
        let error = SystemError("open", path: "favorites", code: EIO)

        let lines = try await log(of: [page, newest], updates: 2, favoritesError: error)

        #expect(lines == ["cannot update the views that show favorites: \(error)\n"])
        #expect(newest.updates.withLock(\.self) == 2)
    }

    @Test func theFailureOfOneViewDoesNotStopTheNext() async throws {
        let (first, second) = (PageView(failing: ["full"]), PageView(failing: ["nothing", nil]))

        _ = try await log(of: [first, second], updates: 1)

        #expect(second.failures.withLock(\.self) == [nil])
    }
}
