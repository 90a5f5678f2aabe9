import APOD
import FoundationEssentials
import Glibc
import JSON
import Mirror
import Platform
import Testing
import Thumbnails

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct ThumbnailServiceTests {
    /// A log without its own rule that a line is left out for an hour after it.
    private func log(to lines: Monitor<[String]>) -> Log {
        let start = ContinuousClock.now
        let hours = Monitor(0)
        return Log(
            environment: [:],
            now: {
                let passed = hours.withLock { hours in
                    hours += 2
                    return hours
                }
                return start + .seconds(3600 * passed)
            },
            output: { line in lines.withLock { $0.append(line) } })
    }

    /// Runs `body` with the store of one picture, and a thumbnailer that lacks memory.
    private nonisolated(nonsending) func withPicture(
        _ body: nonisolated(nonsending) (Store, Thumbnails.Options) async throws -> Void
    ) async throws {
        try await withEmptyMirror { mirror, store in
            try addPicture(to: store)
            var options = Thumbnails.Options()
            options.program = try program(
                in: store, "printf 'failed no memory' >&0\nexec sleep 1000")
            try await body(store, options)
        }
    }

    /// What failed is tried once a day, and logged each time.
    @Test func aLastingFailureOfAThumbnailIsLoggedOnce() async throws {
        try await withPicture { store, options in
            let lines = Monitor<[String]>([])
            let service = ThumbnailService(
                thumbnails: Thumbnails(store: store, options: options), log: log(to: lines),
                changes: ChangeBroadcaster())

            let failed = await service.makeMissing()
            let waiting = await service.makeMissing()

            #expect(failed.failures.count == 1 && failed.missingCount == 1)
            #expect(waiting.failures.isEmpty && waiting.missingCount == 1)
            #expect(lines.withLock(\.self).count == 1)
        }
    }

    /// Memory may be short for a while: the pictures that were not tried do not wait for a day, as those do that failed.
    @Test func thumbnailsAreTriedAgainSoonAfterManyCrashesInARow() async throws {
        try await withEmptyMirror { mirror, store in
            let ages = 0..<10
            for age in ages { try addPicture(to: store, age: age) }
            var options = Thumbnails.Options()
            options.program = try program(in: store, "exit 3")
            let (lines, continuation) = AsyncStream.makeStream(of: String.self)
            let service = ThumbnailService(
                thumbnails: Thumbnails(store: store, options: options),
                log: Log(environment: [:], output: { continuation.yield($0) }),
                changes: ChangeBroadcaster(),
                backoff: Backoff(first: .zero, factor: 1, longest: .zero))
            let running = Task(executorPreference: ThreadPoolExecutor.shared) {
                try await service.run()
            }

            let oldest = Layout.thumbnail(of: EmptyFileMirror.today.advanced(by: -9))
            for await line in lines where line.contains(oldest) { break }

            running.cancel()
            await #expect(throws: CancellationError.self) { try await running.value }
        }
    }

    @Test func manyCrashesInARowAreAnObstacleOfAllPictures() async throws {
        try await withEmptyMirror { mirror, store in
            for age in 0..<10 { try addPicture(to: store, age: age) }
            var options = Thumbnails.Options()
            options.program = try program(in: store, "exit 3")
            let service = ThumbnailService(
                thumbnails: Thumbnails(store: store, options: options), log: log(to: Monitor([])),
                changes: ChangeBroadcaster())

            let first = await service.makeMissing()
            let second = await service.makeMissing()

            #expect(first.obstacle != nil && first.missingCount == 10)
            #expect(first.failures.first?.contains("8 times in a row") == true)
            // Two are left.
            #expect(second.obstacle == nil && second.failures.count == 2)
        }
    }

    /// Free space says nothing about a quota, and each attempt decodes a picture.
    @Test(arguments: [ENOSPC, EDQUOT]) func aQuotaIsTriedWithGrowingDelays(code: Int32) async throws
    {
        try await withPicture { store, options in
            func retry(minimumFree: Int) throws -> ThumbnailService.Retry {
                let store = try Store(tree: store.tree, minimumFree: minimumFree)
                let service = ThumbnailService(
                    thumbnails: Thumbnails(store: store, options: options),
                    log: log(to: Monitor([])), changes: ChangeBroadcaster())
                var summary = ThumbnailSummary()
                summary.missingCount = 1
                let error = SystemError("write", path: "/p", code: code)
                summary.record(
                    .system(error), of: JPEGJob(thumbnailOf: EmptyFileMirror.today))
                return service.nextRetry(
                    after: summary, startedAt: Date(),
                    earlier: .obstacle(rounds: 3, at: .now), wasRetry: true)
            }

            guard case .obstacle(rounds: 4, at: _) = try retry(minimumFree: 0) else {
                Issue.record("a disk with space is tried like any other obstacle")
                return
            }
            guard case .fullDisk = try retry(minimumFree: 1 << 60) else {
                Issue.record("the free space is checked")
                return
            }
        }
    }

    /// It frees space.
    @Test func aFullDiskDoesNotPreventTheRemovalOfOldRenditions() async throws {
        try await withPicture { store, options in
            let old = Rendition.path(of: EmptyFileMirror.today.advanced(by: -1))
            _ = try ViewFiles(of: .renditions, in: store).publish([.init(path: old, bytes: [1])])
            let full = try Store(tree: store.tree, minimumFree: 1 << 60)
            let service = ThumbnailService(
                thumbnails: Thumbnails(store: full, options: options), log: log(to: Monitor([])),
                changes: ChangeBroadcaster())

            let summary = await service.makeMissing()

            #expect(summary.isDiskFull)
            #expect(store.tree.root.isCertainlyMissing(old))
        }
    }

    /// Adds the picture of a day, which is not decoded.
    private func addPicture(to store: Store, age: Int = 0) throws {
        let day = EmptyFileMirror.today.advanced(by: -age)
        let path = "\(Layout.folder(Layout.pictures, of: day))/\(day) X.jpg"
        let bytes: [UInt8] = [0xFF, 0xD8, 0xFF]
        let record: JSON = [
            "date": .string("\(day)"), "title": "X", "explanation": "",
            "picture": [
                "path": .string(path), "bytes": .integer(bytes.count),
                "sha256": .string(SHA256.digits(64, of: bytes)),
            ],
            "source": ["feed": "basic", "fetched": "2026-11-20T05:00:00Z", "revision": 1],
        ]
        try store.publish(bytes, at: path)
        try store.publish(record.document, at: Layout.recordPath(of: day))
    }

    /// The path of a thumbnailer that runs `script` for its first picture.
    private func program(in store: Store, _ script: String) throws -> String {
        let path = "\(Layout.own)/process"
        let script =
            "#!/bin/sh\nprintf done >&0\nhead -c 1 > /dev/null\n\(script)\n"
        try store.publish(Array(script.utf8), at: path)
        _ = unsafe chmod("\(store.tree.root.path)/\(path)", 0o755)
        return "\(store.tree.root.path)/\(path)"
    }
}
