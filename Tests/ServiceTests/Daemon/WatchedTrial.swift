import Favorites
import FavoritesModel
import Platform

@testable import Service

/// A mirror whose favorites are kept while a user does things there.
///
/// Events alone say when to look: what the model says is waited for.
final class WatchedTrial {
    private struct Looks {
        var count = 0
        var overflows = 0
        var answers = 0
        var isLate = false
    }

    private let trial: Trial
    private var user: RandomUser
    private let keeper: FavoritesService
    private let task: Task<Void, Never>
    private let looks = Monitor(Looks())
    private let looked = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(root: String, seed: UInt64) throws {
        trial = try Trial(root: root, days: Script.days)
        user = RandomUser(seed: seed, days: Script.days)
        let (looks, looked) = (looks, looked.continuation)
        let keeper = FavoritesService(
            tree: trial.tree, spellings: [], wanted: WantedDays(),
            log: Log(threshold: .error, environment: [:]), now: trial.now,
            uptime: trial.uptime,
            didReconcile: { hint, _ in
                looks.withLock { looks in
                    looks.count += 1
                    if hint.contains(.overflow) { looks.overflows += 1 }
                    if hint.contains(.requested) { looks.answers += 1 }
                }
                looked.yield()
            })
        self.keeper = keeper
        task = Task(executorPreference: ThreadPoolExecutor.shared) { await keeper.run() }
    }

    var operations: Int { trial.counts.values.reduce(0, +) }
    var count: Int { looks.withLock { $0.count } }
    var overflows: Int { looks.withLock { $0.overflows } }

    func stop() async {
        task.cancel()
        await task.value
    }

    /// Waits for the first look.
    func begin() async {
        trial.lookOnPaper()
        for await _ in looked.stream { break }
    }

    /// So many operations, and looks at any moment between them.
    ///
    /// - Returns: What is otherwise in the end.
    func burst(of counts: ClosedRange<Int>) async throws -> [String] {
        let count = counts.lowerBound + user.number(below: counts.count)
        // Where there is no folder, what is missed may have been so for long: it may go at any moment.
        guard trial.world.disk["favorites"]?.isFolder == true else { return [] }
        let before = Set(trial.world.records.keys)
        for _ in 0..<count {
            let operation = user.deed(in: trial.world)
            if operation.isSteady(in: trial.world) { _ = try await trial.perform(operation) }
        }
        trial.lookOnPaper()
        let lines = try await waitUntilNone {
            try trial.adoptUnseen()
            return try trial.differences(isLoose: true)
        }
        guard lines.isEmpty else { return lines }

        // One more look at what is at rest now: nothing is left of what was seen in between but records.
        try await ask()
        trial.lookOnPaper()
        return try await waitUntilNone {
            try trial.adoptUnseen()
            let lost = before.subtracting(trial.world.records.keys)
            return lost.map { "\($0) removed from favorites" } + (try trial.differences())
        }
    }

    /// One operation in a mirror at rest.
    func step() async throws -> [String] {
        var operation = user.next(in: trial.world)
        while !operation.isStep(in: trial.world) { operation = user.next(in: trial.world) }
        _ = try await trial.perform(operation)
        // Where the folder is made again, that is looked at too.
        trial.lookOnPaper()
        trial.lookOnPaper()
        if !operation.isHeard { try await ask() }
        let lines = try await waitUntilNone { try trial.differences(isLoose: true) }
        guard lines.isEmpty else { return lines + ["after \(operation)"] }

        try await ask()
        trial.lookOnPaper()
        let after = try await waitUntilNone { try trial.differences() }
        return after.isEmpty ? [] : after + ["after \(operation)"]
    }

    /// Asks for a look and waits for it.
    private func ask() async throws {
        let before = looks.withLock { $0.answers }
        keeper.requestScan()
        _ = try await waitUntilNone { looks.withLock { $0.answers > before ? [] : ["no answer"] } }
    }

    /// Looks for differences after each look, until there are none or ten seconds have passed.
    private func waitUntilNone(_ differences: () throws -> [String]) async throws -> [String] {
        let (looks, continuation) = (looks, looked.continuation)
        looks.withLock { $0.isLate = false }
        // A look that was done just now may be the last.
        continuation.yield()
        let alarm = Task(executorPreference: ThreadPoolExecutor.shared) {
            try await LoopClock().sleep(for: .seconds(10))
            looks.withLock { $0.isLate = true }
            continuation.yield()
        }
        defer { alarm.cancel() }
        var iterator = looked.stream.makeAsyncIterator()
        while true {
            // What is being written is not there for a moment.
            let lines = (try? differences()) ?? ["the disk cannot be read"]
            if lines.isEmpty || looks.withLock({ $0.isLate }) { return lines }
            await iterator.next()
        }
    }
}
