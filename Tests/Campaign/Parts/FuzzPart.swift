import Glibc
import Platform
import ProgramTesting
import TestSupport

/// Decodes inputs that are made up in a helper process, which must exit with 0.
enum FuzzPart: Part {
    static let name = "fuzz"
    static var variants: [String] { Decoder.all.map(\.name) }

    /// The number of inputs per process.
    private static let slice = 100_000

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        let own = "/proc/self/exe"
        let path = try Directory(opening: "/proc/self").target(of: "exe") ?? own
        repeat {
            let seed = trials.random.next() >> 20
            let program = try Program(
                [
                    path, Fuzzer.role, variant, "\(seed)", "\(min(slice, max(1, trials.left)))",
                    "\(trials.secondsLeft)",
                ], environment: [:])
            let ending = try await program.end()
            let done = ending.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            guard ending.code == 0, done.count == 2 else {
                trials.record(["\(ending)"], in: "decoder \(variant), seed \(seed)")
                continue
            }
            trials.record([], in: "", count: done[0])
            trials.add(done[1], to: "accepted")
        } while trials.hasTime
    }
}

/// Decodes in the helper process, and prints the number of inputs and of accepted ones.
enum Fuzzer {
    static let role = "fuzz-slice"

    /// - Parameter words: The decoder, the seed, the number of inputs, and the seconds; `-v` prints each input.
    /// - Returns: The exit code.
    static func run(_ words: [String]) async -> CInt {
        guard words.count >= 4, let decoder = Decoder.all.first(where: { $0.name == words[0] }),
            let seed = UInt64(words[1]), let count = Int(words[2]), let seconds = Int(words[3])
        else { return 2 }
        let isVerbose = words.last == "-v"
        let end = ContinuousClock.now.advanced(by: .seconds(seconds))
        let next = decoder.inputs(seed)
        var (done, accepted) = (0, 0)
        while done < count, done % 256 != 0 || .now < end {
            let input = next()
            if isVerbose { StandardStream.output.write("\(done): \(input)\n") }
            if await decoder.accepts(input) { accepted += 1 }
            done += 1
        }
        StandardStream.output.write("\(done) \(accepted)\n")
        return 0
    }
}
