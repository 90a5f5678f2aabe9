import APOD
import FoundationEssentials
import Glibc
import JSON
import MediaFormat
import Mirror
import PictureSamples
import Platform
import TestSupport
import Testing

@testable import Thumbnails

/// What failed is tried again by the next process, and once a day; another picture in its place at once.
@Suite(.timeLimit(.minutes(10))) struct RetryTests {
    private typealias Mirror = MirrorOfCharts

    private var inTwoDays: Date { Date(timeIntervalSinceNow: 2 * 86_400) }

    @Test(arguments: [
        "kill -SEGV $$", "kill -BUS $$", "kill -XCPU $$", "kill -KILL $$", "exit 3", "exit 0",
        "printf done >&0; exec sleep 1000", "printf nonsense >&0; exec sleep 1000",
        "exec sleep 1000",
    ])
    func aFailingProcessDoesNotRejectAPicture(_ script: String) async throws {
        try await withCharts { mirror in
            let real = mirror.options.program
            mirror.options.timeout = .seconds(script == "exec sleep 1000" ? 1 : 600)
            try mirror.decodeBy("head -c 1 > /dev/null; \(script)")
            let made = try await mirror.make()

            // None delays the others, and none is retried at once.
            #expect(made.count == 3)
            let count = try mirror.count()
            #expect(count.rejected == 0 && count.missing == 3)

            mirror.options.program = real
            mirror.options.timeout = .hang
            let again = try await mirror.make()
            for day in Mirror.days { #expect(try again[day]?.get() != nil) }
            #expect(try mirror.thumbnails.missing(at: inTwoDays) == [])
        }
    }

    @Test(arguments: ["a crash", "a rejection"])
    func aFailureIsRetriedOnceADayAndByTheNextProcess(_ failure: String) async throws {
        try await withCharts { mirror in
            let answer = failure == "a crash" ? "exit 3" : "printf 'rejected no' >&0; exit 0"
            try mirror.decodeBy("head -c 1 > /dev/null; \(answer)")
            let thumbnails = try mirror.thumbnails

            _ = await Mirror.made(of: [Mirror.crab], by: thumbnails)

            let others = [Mirror.comet, Mirror.moon]
            #expect(try thumbnails.missing() == others)
            #expect(try thumbnails.missing(at: Date(timeIntervalSinceNow: 80_000)) == others)
            #expect(try thumbnails.missing(at: inTwoDays) == Mirror.days)
            // The clock was ahead.
            #expect(try thumbnails.missing(at: Date(timeIntervalSinceNow: -1e9)) == Mirror.days)
            #expect(try mirror.thumbnails.missing() == Mirror.days)
            #expect(try mirror.count().rejected == (failure == "a crash" ? 0 : 1))

            try mirror.mirror(Mirror.crab, Chart(9, 9).jpeg(), "jpg")
            thumbnails.snapshots.invalidate()
            #expect(try thumbnails.missing() == Mirror.days)
        }
    }

    /// It says nothing of the picture.
    @Test func afterAFailureOfTheDiskAPictureIsTriedAgainWithGrowingDelays() async throws {
        try await withCharts { mirror in
            let thumbnails = try mirror.thumbnails
            // No draft can be written.
            try mirror.tree.root.rename(Layout.incoming, to: mirror.tree.root, as: "elsewhere")
            try mirror.tree.root.symlink(Layout.incoming, to: "/nothing")

            let made = await Mirror.made(of: [Mirror.crab], by: thumbnails)
            guard case .failure(.system) = made[Mirror.crab] else {
                Issue.record("\(made)")
                return
            }
            #expect(try thumbnails.missing(at: Date(timeIntervalSinceNow: 60)) == Mirror.days)
            #expect(thumbnails.retryDelay(since: .now) <= .seconds(60))
            for _ in 1...12 { _ = await Mirror.made(of: [Mirror.crab], by: thumbnails) }

            let others = [Mirror.comet, Mirror.moon]
            #expect(try thumbnails.missing(at: Date(timeIntervalSinceNow: 80_000)) == others)
            #expect(try thumbnails.missing(at: inTwoDays) == Mirror.days)
            thumbnails.forgetDiskErrors()
            #expect(try thumbnails.missing() == Mirror.days)
        }
    }

    /// Otherwise “status” would say as long as the daemon runs that something cannot be written.
    @Test(arguments: ["its day is removed", "the file is there"])
    func aFailureOfTheDiskIsForgottenOnce(_ what: String) async throws {
        try await withCharts { mirror in
            let thumbnails = try mirror.thumbnails
            try mirror.tree.root.rename(Layout.incoming, to: mirror.tree.root, as: "elsewhere")
            try mirror.tree.root.symlink(Layout.incoming, to: "/nothing")
            _ = await Mirror.made(of: [Mirror.crab], by: thumbnails)
            #expect(thumbnails.hasDiskErrors)
            try mirror.tree.root.remove(Layout.incoming)
            try mirror.tree.root.rename("elsewhere", to: mirror.tree.root, as: Layout.incoming)
            _ = try thumbnails.missing()
            #expect(thumbnails.hasDiskErrors)

            if what == "the file is there" {
                // Another process has made it, or an attempt failed after the file had got its name.
                _ = await Mirror.made(of: [Mirror.crab], by: try mirror.thumbnails)
            } else {
                try mirror.tree.root.remove(Mirror.path(of: Mirror.crab, "jpg"))
            }
            thumbnails.snapshots.invalidate()

            #expect(try !thumbnails.missing().contains(Mirror.crab))
            #expect(!thumbnails.hasDiskErrors)
        }
    }

    /// A lease makes open(2) fail for a while, see fcntl(2).
    @Test func aListOfFailuresThatCannotBeReadIsNotReplaced() async throws {
        try await withCharts { mirror in
            try mirror.decodeBy("head -c 1 > /dev/null; printf 'rejected no' >&0; exit 0")
            _ = await Mirror.made(of: [Mirror.crab], by: try mirror.thumbnails)
            let before = try mirror.tree.root.read(Layout.failedPictures)
            do {
                let list = try mirror.tree.root.openFile(Layout.failedPictures, O_RDONLY)
                // The numbers are those of F_SETSIG and F_SETLEASE; SIGURG is ignored.
                try #require(fcntl(list.rawValue, 10, SIGURG) == 0)
                // A program that another test starts may have the descriptor for a while.
                while fcntl(list.rawValue, 1024, CInt(F_WRLCK)) != 0 {
                    try #require(errno == EAGAIN)
                    sched_yield()
                }
                defer { _ = fcntl(list.rawValue, 1024, CInt(F_UNLCK)) }
                let thumbnails = try mirror.thumbnails

                _ = await Mirror.made(of: [Mirror.comet], by: thumbnails)

                #expect(try thumbnails.missing() == [Mirror.crab, Mirror.moon])
            }
            #expect(try mirror.tree.root.read(Layout.failedPictures) == before)
        }
    }

    /// The day counts as one without its picture, which is downloaded again.
    @Test func aPictureOfAnotherSizeThanItsRecordHasGetsNoThumbnail() async throws {
        try await withCharts { mirror in
            try mirror.mirror(
                Mirror.comet, Chart(64, 96).png(.truecolor), "png", length: 99_999)

            #expect(try !mirror.thumbnails.missing().contains(Mirror.comet))
        }
    }

    /// Otherwise each round would fail: outside of `--keep`, a month may pass until the original comes back.
    @Test func aPictureThatWasEditedAfterItsThumbnailWasMadeIsNotTried() async throws {
        try await withCharts { mirror in
            try await mirror.make()
            mirror.write(Chart(80, 64).jpeg(), to: Mirror.path(of: Mirror.crab, "jpg"))

            #expect(try mirror.thumbnails.missing() == [])
        }
    }

    /// A damaged picture is downloaded again, with the same hash.
    @Test func aRejectionOfDamagedBytesDoesNotApplyToThePicture() async throws {
        try await withCharts { mirror in
            let picture = Chart(64, 96).png(.truecolor)
            try mirror.mirror(Mirror.comet, picture, "png")
            let path = Mirror.path(of: Mirror.comet, "png")
            mirror.write([UInt8](repeating: 0x3c, count: picture.count), to: path)

            let made = try await mirror.make()

            #expect(throws: ThumbnailFailure.self) { try made[Mirror.comet]?.get() }
            #expect(try mirror.count().rejected == 0)
            #expect(try mirror.thumbnails.missing() == [Mirror.comet])
        }
    }

    @Test(arguments: ["tif", "avif", "heic"])
    func aTypeThatIsNotDecodedIsNotMissing(_ type: String) async throws {
        try await withCharts { mirror in
            try mirror.mirror(Day(iso: "2020-02-02") ?? .first, Array("II*\0".utf8), type)

            #expect(try await mirror.make().count == Mirror.days.count)
            #expect(try mirror.count().missing == 0)
        }
    }

    /// They are created as soon as there is space.
    @Test func aFullDiskRejectsNoPicture() async throws {
        try await withCharts { mirror in
            let full = Thumbnails(store: try Store(tree: mirror.tree, minimumFree: 1 << 60))
            let made = await Mirror.made(of: Mirror.days, by: full)

            #expect(made.count == 1)
            #expect(!full.hasSpace)
            #expect(try full.missing() == Mirror.days)
            #expect(try mirror.thumbnails.missing() == Mirror.days)
        }
    }
}
