import APOD
import Glibc
import Mirror
import PictureSamples
import Platform
import TestSupport
import Testing
import ThumbnailProtocol
import Thumbnails

/// A decoder that crashes on a picture affects no other picture.
@Suite(.timeLimit(.minutes(10))) struct ThumbnailerProcessTests {
    private typealias Mirror = MirrorOfCharts

    /// Renders all thumbnails of a mirror in which `comet` crashes the decoder, and checks the rest.
    private func survive(_ comet: [UInt8], _ change: (Mirror) -> Void = { _ in }) async throws {
        try await withCharts { mirror in
            try mirror.mirror(Mirror.comet, comet, "png")
            change(mirror)

            let made = try await mirror.make()

            #expect(throws: ThumbnailFailure.self) { try made[Mirror.comet]?.get() }
            #expect(try mirror.thumbnail(of: Mirror.crab) != nil)
            #expect(try mirror.thumbnail(of: Mirror.moon) != nil)
            #expect(try mirror.thumbnail(of: Mirror.comet) == nil)
            #expect(try mirror.tree.root.folder(Layout.incoming)?.names() == [])
        }
    }

    @Test func noPictureIsTriedAfterEightCrashesInARow() async throws {
        try await withTemporaryFolder { root in
            let mirror = try Mirror(root, isEmpty: true)
            for number in 1...9 {
                let day = try #require(Day(iso: "2025-01-0\(number)"))
                try mirror.mirror(day, Chart(96, 64).jpeg(), "jpg")
            }
            try mirror.decodeBy("head -c 1 > /dev/null; kill -SEGV $$")

            #expect(try await mirror.make().count == 8)
        }
    }

    @Test func aPictureThatTakesTooLongEndsAndIsMarked() async throws {
        try await survive(PNGFile.black(20_000, 20_000)) { mirror in
            mirror.options.limits.processorSeconds = 1
        }
    }

    /// The limit of the process decides, as the library reports it: no other attempt would help.
    @Test func aPictureThatNeedsTooMuchMemoryIsRejected() async throws {
        // The coefficients of all scans must lie in memory, 48 MB.
        let large = Chart(4000, 4000).jpeg(.progressive)
        try await withCharts { mirror in
            try mirror.mirror(Mirror.comet, large, "jpg")
            mirror.options.limits.memory = 24 << 20

            let made = try await mirror.make()

            #expect(throws: ThumbnailFailure.rejected(reason: "decoding exceeds the memory limit"))
            {
                try made[Mirror.comet]?.get()
            }
            #expect(try mirror.count().rejected == 1)
            #expect(try mirror.thumbnail(of: Mirror.crab) != nil)
        }
    }

    @Test func anInterlacedPictureWithoutMemoryHarmsNoOther() async throws {
        // 4000 by 4000 pixels in seven passes must lie in memory.
        let large = Chart(4000, 4000).png(.palette, isInterlaced: true)
        try await survive(large) { mirror in
            mirror.options.limits.memory = 24 << 20
            mirror.options.limits.processorSeconds = 1000
        }
    }

    @Test(arguments: [
        ("exit 3", "exit code 3; reinstall apod-mirror"),
        ("printf 'failed no memory; buy some' >&0; exit 3", "no memory; buy some"),
        ("printf '%600s' >&0", "its first message is too long; reinstall apod-mirror"),
    ])
    func aProcessThatDoesNotStartIsExplained(_ script: String, _ reason: String) async throws {
        try await withCharts { mirror in
            try mirror.decodeBy("")
            mirror.write(Array("#!/bin/sh\n\(script)\n".utf8), to: ".apod-mirror/process")

            let failures = try await mirror.make().values.compactMap { result -> String? in
                guard case .failure(let failure) = result else { return nil }
                return "\(failure)"
            }

            #expect(!failures.isEmpty)
            for failure in failures {
                #expect(failure.contains("/process does not start: \(reason)"))
            }
        }
    }

    /// The parent-death signal follows the thread that started it, and idle threads
    /// end.
    @Test func aProcessOutlivesTheThreadsOfThisOne() async throws {
        try await withCharts { mirror in
            try mirror.decodeBy(
                """
                exec setpriv --pdeathsig KILL \\
                    sh -c 'head -c 1 > /dev/null; sleep 2; kill -SEGV $$'
                """)

            let made = try await mirror.make()

            for day in Mirror.days {
                #expect(throws: ThumbnailFailure.crashed(reason: "signal 11")) {
                    try made[day]?.get()
                }
            }
        }
    }

    @Test func aProcessKilledOnceDoesNotRejectThePicture() async throws {
        try await withCharts { mirror in
            try mirror.decodeOnceBy("head -c 1 > /dev/null; kill -KILL $$")

            let made = try await mirror.make()

            #expect(made.count == 3)
            for day in Mirror.days { #expect(try made[day]?.get() != nil) }
        }
    }

    /// As of a process that was taken over, which does not keep to its own limits.
    @Test func anOutputLargerThanTheLimitIsRejectedWithoutReadingIt() async throws {
        try await withCharts { mirror in
            let real = try #require(mirror.options.program)
            let file = mirror.options.limits.outputSize
            mirror.write(
                Array("#!/bin/sh\nexec \"\(real)\" \"$1\" \"$2\" \(file)\n".utf8),
                to: ".apod-mirror/process")
            _ = unsafe chmod("\(mirror.root)/.apod-mirror/process", 0o755)
            mirror.options.program = "\(mirror.root)/.apod-mirror/process"
            #expect(try await mirror.make()[Mirror.crab]?.get() != nil)
            let size = try #require(try mirror.thumbnail(of: Mirror.crab)).count
            try mirror.tree.root.remove(Layout.thumbnail(of: Mirror.crab))
            mirror.options.limits.outputSize = size - 1

            let made = try await mirror.make()

            #expect(throws: ThumbnailFailure.crashed(reason: "the output is not a valid thumbnail"))
            {
                try made[Mirror.crab]?.get()
            }
            #expect(try mirror.thumbnail(of: Mirror.crab) == nil)
        }
    }

    @Test func aReleasedStreamLeavesNoFilesOrProcesses() async throws {
        try await withCharts { mirror in
            // The process holds the fifo open until it ends.
            let path = "\(mirror.root)/running"
            #expect(unsafe mkfifo(path, 0o600) == 0)
            try mirror.decodeBy("exec 3> \"\(path)\"; exec sleep 1000")
            let thumbnails = try mirror.thumbnails
            let work = Task(executorPreference: ThreadPoolExecutor.shared) {
                await Mirror.made(of: [Mirror.crab], by: thumbnails)
            }
            let (started, continuation) = AsyncStream.makeStream(of: Void.self)
            let end = Task(executorPreference: ThreadPoolExecutor.shared) {
                let running = try FileDescriptor(opening: path, O_RDONLY)
                continuation.finish()
                _ = try running.readToEnd(limit: 64, path: path)
            }
            for await _ in started {}
            work.cancel()

            let made = await work.value

            #expect(made.isEmpty || (try? made[Mirror.crab]?.get()) == nil)
            try await end.value
            #expect(try mirror.thumbnails.missing() == Mirror.days)
        }
    }
}
