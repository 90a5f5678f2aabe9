import Glibc
import Platform
import TestSupport
import Testing

@testable import campaign

/// One fault of each kind at a random call in each situation; the campaign lets every call fail.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: FaultShim.isPossible))
struct FaultTests {
    /// Repeat with `APOD_MIRROR_SEED=… swift test`.
    static let seed =
        processEnvironment()["APOD_MIRROR_SEED"].flatMap(UInt64.init) ?? .random(in: 0...99_999)

    @Test(arguments: Scenario.allCases)
    func aFaultIsSurvived(scenario: Scenario) async throws {
        var random = SplitMix(state: Self.seed)
        try await withRig(days: Scenario.days) { rig in
            let trial = try await FaultTrial(scenario, rig)
            let calls = trial.calls.count
            for fault in FaultShim.Fault.standard {
                let number = Int.random(in: 1...calls, using: &random)
                let violations = try await trial.violations(of: fault, at: number)
                #expect(
                    violations == [],
                    "\(fault) at \(number) of \(calls), APOD_MIRROR_SEED=\(Self.seed)")
            }
        }
    }

    /// The disk becomes full or read-only, and the exit code shows the reason.
    @Test(arguments: [(ENOSPC, 6), (EDQUOT, 6), (EROFS, 4)] as [(Int32, Int32)])
    func everyDiskErrorHasItsExitCode(error: Int32, code: Int32) async throws {
        try await withSite(days: 2) { site in
            let shim = try await FaultShim(for: site)
            func run(_ root: String, _ variables: [String: String]) async throws -> Ending {
                let words = ["run", "--once"] + site.settings(root: "\(site.folder)/\(root)")
                return try await site.start(
                    words + ["--since", "2d", "--jobs", "1", "--thumbnails", "no"],
                    environment: variables
                ).end()
            }
            _ = try await run("calm", shim.variables(.noSpace, at: -1))
            let calls = shim.calls.count

            for number in [1, calls / 2] {
                let ending = try await run(
                    "trial\(number)", shim.variables(code: error, from: number))
                #expect(ending.code == code, "call \(number) of \(calls): \(ending)")
                #expect(ending.sentences.count == 1, "\(ending)")
            }
        }
    }
}
