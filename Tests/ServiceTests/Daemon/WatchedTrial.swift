import Favorites
import FavoritesModel
import Mirror
import Platform
import TestSupport

@testable import Service

/// A mirror with a running favorites service, and a random user.
///
/// Scans are triggered by events only; the trial waits for the state of the model.
final class WatchedTrial {
    private struct Counts {
        var count = 0
        var responses = 0
        var isHanging = false
    }

    private let trial: Trial
    private var user: RandomUser
    private let service: FavoritesService
    private let task: Task<Void, any Error>
    private let counts = Monitor(Counts())
    private let scanned = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(root: String, seed: UInt64) throws {
        trial = try Trial(root: root, days: Script.days)
        user = RandomUser(seed: seed, days: Script.days)
        let (counts, scanned) = (counts, scanned.continuation)
        let service = FavoritesService(
            of: try Store(besideWriterOf: trial.tree),
            log: Log(threshold: .error, environment: [:]),
            now: trial.now, uptime: trial.uptime
        ) { event in
            guard case .reconciled(let reasons, _) = event else { return }
            counts.withLock { counts in
                counts.count += 1
                if reasons.contains(.requestedByUser) { counts.responses += 1 }
            }
            scanned.yield()
        }
        self.service = service
        task = Task(executorPreference: ThreadPoolExecutor.shared) { try await service.run() }
    }

    var operations: Int { trial.counts.values.reduce(0, +) }
    var count: Int { counts.withLock { $0.count } }

    func stop() async {
        task.cancel()
        _ = await task.result
    }

    /// Waits for the first scan.
    func waitForFirstScan() async {
        trial.scanModel()
        for await _ in scanned.stream { break }
    }

    /// So many operations, and counts at any moment between them.
    ///
    /// - Returns: The differences between disk and model at the end.
    func runBurst(of counts: ClosedRange<Int>) async throws -> [String] {
        let count = counts.lowerBound + user.number(below: counts.count)
        // Without a directory, a missing favorite may be removed at any time.
        guard trial.world.disk["favorites"]?.isFolder == true else { return [] }
        // Time stands still: nothing but the end of an earlier grace period removes a favorite.
        let before = trial.world.records.keys.filter { !trial.world.isGraceOver(of: $0) }
        for _ in 0..<count {
            let operation = user.userOperation(in: trial.world)
            // A scan can see the folder missing in the middle of an exchange.
            if case .exchange = operation { continue }
            if operation.isSteady(in: trial.world) { _ = try await trial.perform(operation) }
        }
        trial.scanModel()
        let lines = try await waitUntilNone {
            try trial.copyUnobservedState()
            return try trial.differences(isLoose: true)
        }
        guard lines.isEmpty else { return lines }

        // A last scan without concurrent changes removes all intermediate state but records.
        try await requestScan()
        trial.scanModel()
        return try await waitUntilNone {
            try trial.copyUnobservedState()
            let lost = before.filter { trial.world.records[$0] == nil }
            return lost.map { "\($0) removed from favorites" } + (try trial.differences())
        }
    }

    /// Applies one operation while no other change is pending.
    func runStep() async throws -> [String] {
        var operation = user.next(in: trial.world)
        while !operation.isStep(in: trial.world) { operation = user.next(in: trial.world) }
        _ = try await trial.perform(operation)
        // Where the folder is made again, that is scanned at too.
        trial.scanModel()
        trial.scanModel()
        if !operation.causesEvent { try await requestScan() }
        let lines = try await waitUntilNone { try trial.differences(isLoose: true) }
        guard lines.isEmpty else { return lines + ["after \(operation)"] }

        try await requestScan()
        trial.scanModel()
        let after = try await waitUntilNone { try trial.differences() }
        return after.isEmpty ? [] : after + ["after \(operation)"]
    }

    /// Requests a scan and waits for it.
    private func requestScan() async throws {
        let before = counts.withLock { $0.responses }
        service.requestScanForUser()
        _ = try await waitUntilNone {
            counts.withLock { $0.responses > before ? [] : ["no response"] }
        }
    }

    /// Compares after each scan, until there are no differences or the daemon hangs.
    private func waitUntilNone(_ differences: () throws -> [String]) async throws -> [String] {
        let (counts, continuation) = (counts, scanned.continuation)
        counts.withLock { $0.isHanging = false }
        // The scan that just ended may be the last.
        continuation.yield()
        let alarm = Task(executorPreference: ThreadPoolExecutor.shared) {
            try await LoopClock().sleep(for: .hang)
            counts.withLock { $0.isHanging = true }
            continuation.yield()
        }
        defer { alarm.cancel() }
        var iterator = scanned.stream.makeAsyncIterator()
        while true {
            // A file that is being written may be missing.
            let lines = (try? differences()) ?? ["the disk cannot be read"]
            if lines.isEmpty || counts.withLock({ $0.isHanging }) { return lines }
            await iterator.next()
        }
    }
}
