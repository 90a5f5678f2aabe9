import APOD
import Glibc
import Mirror
import Simulator
import Testing

/// Each call that changes the file system fails once, and the mirror stays consistent.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: FaultShim.isPossible))
struct FaultTests {
    /// Two days, one after another, so that the order of calls is nearly reproducible.
    private static let days = ["--since", "2d", "--jobs", "1"]

    /// The initial state and the options of a run.
    private enum Scene {
        /// Nothing, and all but thumbnails, which are made at the same time; the gallery is made when all
        /// is there.
        case days
        /// A complete mirror without thumbnails, which are to be made.
        case thumbnails
        /// A complete mirror without sidecars, which are to be written.
        case sidecars

        var options: [String] {
            FaultTests.days + ["--thumbnails", self == .thumbnails ? "yes" : "no"]
                + (self == .sidecars ? ["--sidecars"] : [])
        }
    }

    @Test(arguments: FaultShim.Fault.standard)
    func anyFailingSystemCallKeepsTheMirrorConsistent(fault: FaultShim.Fault) async throws {
        try await failEveryCall(.days, fault)
    }

    @Test(arguments: FaultShim.Fault.standard)
    func anyFailingSystemCallKeepsThumbnailsConsistent(fault: FaultShim.Fault) async throws {
        try await failEveryCall(.thumbnails, fault)
    }

    @Test(arguments: FaultShim.Fault.standard)
    func anyFailingSystemCallKeepsSidecarsConsistent(fault: FaultShim.Fault) async throws {
        try await failEveryCall(.sidecars, fault)
    }

    /// The disk becomes full or read-only, and the exit code shows the reason.
    @Test(arguments: [(ENOSPC, 6), (EDQUOT, 6), (EROFS, 4)] as [(Int32, Int32)])
    func everyDiskErrorHasItsExitCode(error: Int32, code: Int32) async throws {
        try await withSite(days: 3) { site in
            let shim = try await FaultShim(for: site)
            func run(_ root: String, _ variables: [String: String]) async throws -> Ending {
                let words = ["run", "--once"] + site.settings(root: "\(site.folder)/\(root)")
                return try await site.start(
                    words + ["--since", "3d", "--jobs", "1", "--thumbnails", "no"],
                    environment: variables
                ).end()
            }
            _ = try await run("calm", shim.variables(.noSpace, at: -1))
            let calls = shim.calls.count

            for number in [1, calls / 4, calls / 2, calls * 3 / 4] {
                let ending = try await run(
                    "trial\(number)", shim.variables(code: error, from: number))
                #expect(ending.code == code, "call \(number) of \(calls): \(ending)")
                #expect(ending.sentences.count == 1, "\(ending)")
            }
        }
    }

    private func failEveryCall(_ scene: Scene, _ fault: FaultShim.Fault) async throws {
        try await withFaultTrials(of: fault, days: 2) { trials in
            let site = trials.site
            try site.write("mine", to: "canary/file")
            if scene != .days { _ = try await trials.run(Scene.days.options) }
            try trials.begin()
            // The shim lists the calls of a run without faults.
            let calm = try await trials.run(scene.options, failingAt: -1)
            let whole = try trials.tree()
            let calls = trials.shim.calls.count
            #expect(calm.code == 0 && whole.complete.count == 2, "\(calm)")
            #expect(whole.thumbnails.count == (scene == .thumbnails ? 2 : 0))
            #expect(whole.sidecars.count == (scene == .sidecars ? 2 : 0))
            #expect(calls > (scene == .sidecars ? 10 : 30))

            var failed = 0
            let numbers = FaultTrials.numbers(of: calls)
            for number in numbers {
                if try await survives(scene, trials, number, whole) { failed += 1 }
            }

            print("\(fault): \(failed) of \(calls) calls failed, one a run, from \(numbers[0]) on")
            // During thumbnails, the gallery is written once or twice.
            #expect(failed >= (scene == .thumbnails ? numbers.count / 2 : numbers.count - 2))
            #expect(try site.tree("\(site.folder)/canary").files == ["file": Array("mine".utf8)])
        }
    }

    /// One trial: a run with the fault, then a run without.
    ///
    /// - Returns: Whether the fault occurred before the end of the run.
    private func survives(
        _ scene: Scene, _ trials: FaultTrials, _ number: Int, _ whole: TreeImage
    ) async throws -> Bool {
        let (site, fault) = (trials.site, trials.fault)
        let faulty = try await trials.run(scene.options, failingAt: number)
        let cameTrue = trials.shim.calls.count >= number
        let (trial, half) = ("\(fault) at \(number): \(faulty)", try trials.tree())
        #expect(half.damage == [] && half.strangers(to: whole) == [], "\(trial)")
        #expect(faulty.signal == (fault == .kill && cameTrue ? SIGKILL : nil), "\(trial)")
        // The exit code is correct, with an error message.
        if faulty.code == 0 { #expect(half.complete == whole.complete, "\(trial)") }
        if let code = faulty.code {
            #expect(faulty.sentences.count == (code == 0 ? 0 : 1), "\(trial)")
        }

        site.simulator.resetLog()
        let clean = try await trials.run(scene.options)
        let tree = try trials.tree()
        #expect(clean.code == 0, "\(trial); \(clean)")
        #expect(tree.differences(from: whole) == [] && tree.incoming == [], "\(trial)")
        let requested = Set(site.simulator.requests.filter { $0.kind == .media }.compactMap(\.day))
        #expect(requested.isDisjoint(with: half.complete), "\(trial)")
        return cameTrue
    }
}
