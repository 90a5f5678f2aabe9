import APOD
import Glibc
import Platform
import TestSupport
import Testing

@testable import Favorites

/// Files of any bytes are searched for days in bounded time, without crashing.
@Suite(.timeLimit(.minutes(600))) struct ClassifierFuzzTests {
    /// `APOD_MIRROR_INPUTS` sets the number of files, for “make test-machine” 5000; `APOD_MIRROR_SEED` the seed.
    @Test func anyBytesAreSearched() throws {
        let variables = processEnvironment()
        let inputs = variables["APOD_MIRROR_INPUTS"].flatMap { Int($0) } ?? 1000
        let seed = variables["APOD_MIRROR_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...99_999)
        var mutator = Mutator(seed: seed, tokens: Self.tokens)
        var recognized = 0
        var slowest = 0.0
        for _ in 1...inputs {
            let bytes = mutator.mutated(Self.samples)
            let start = processorSeconds()
            let days = PointerText.days(in: bytes)
            slowest = max(slowest, processorSeconds() - start)
            if days.count == 1 { recognized += 1 }
        }
        print("seed \(seed): \(inputs) files, \(recognized) recognized, \(slowest) s at most")
        #expect(recognized > inputs / 20 && recognized < inputs * 19 / 20)
        #expect(slowest < 1)
    }

    /// A quarter of the maximum that is read, full of patterns that cause backtracking.
    @Test(arguments: fillings) func theSearchTakesLinearTime(filling: [UInt8]) {
        var bytes: [UInt8] = []
        while bytes.count < 16 << 10 { bytes += filling }

        let before = processorSeconds()
        _ = PointerText.days(in: bytes)

        // A generous limit, which a quadratic algorithm exceeds many times.
        #expect(processorSeconds() - before < 1)
    }

    private static let samples = ClassifierTests.references.filter { $0.kind == .shortcut }
        .compactMap {
            row in
            if case .file(let bytes) = row.content, !bytes.isEmpty { bytes } else { nil }
        }

    private static let fillings: [[UInt8]] =
        [
            "\0", "ap", "2026", "\"", "http://", "2026/2026-11/", "\n", "URL=\n", "../", "%2",
            "🇩🇪", "👩\u{200D}", "\u{301}", "2026-11-2 ",
        ].map(Samples.text) + [[0xFF]]
    private static let tokens: [[UInt8]] = fillings + [[0xFF, 0xFE], [0xFF, 0xD8, 0xFF]]
}

/// The CPU time of this thread, which a busy machine does not change.
private func processorSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
