import APOD
import Glibc
import Mirror
import Simulator
import Testing

/// Each call that changes the file system fails once, and the mirror stays consistent.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: FaultShim.isPossible))
struct FaultTests {
    /// Three days, one after another, so that the order of calls is nearly reproducible.
    static let days = ["--since", "3d", "--jobs", "1"]

    /// The initial state and the options of a run.
    private enum Scene {
        /// Nothing, and all but thumbnails, which are made at the same time; the gallery is made when all
        /// is there.
        case days
        /// A complete mirror without thumbnails, which are to be made.
        case thumbnails
        /// A complete mirror without sidecars, which are to be written.
        case sidecars
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
                    words + Self.days + ["--thumbnails", "no"], environment: variables
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
        try await withSite(days: 3) { site in
            let shim = try await FaultShim(for: site)
            try site.write("mine", to: "canary/file")
            // The shim lists the calls of a run without faults.
            try await prepare(scene, site, root: "calm")
            let calm = try await play(scene, site, shim.variables(fault, at: -1), root: "calm")
            let whole = try site.tree("\(site.folder)/calm")
            let calls = shim.calls.count
            #expect(calm.code == 0 && whole.complete.count == 3, "\(calm)")
            #expect(whole.thumbnails.count == (scene == .thumbnails ? 3 : 0))
            #expect(whole.sidecars.count == (scene == .sidecars ? 3 : 0))
            #expect(calls > (scene == .sidecars ? 20 : 40))

            var failed = 0
            for number in 1...calls {
                if try await survives(scene, fault, at: number, shim, site, whole) { failed += 1 }
            }

            print("\(fault): \(failed) calls failed, one a run; \(calls) calls in a run without")
            // During thumbnails, the gallery is written once or twice.
            #expect(failed >= (scene == .thumbnails ? calls / 2 : calls - 2))
            #expect(try site.tree("\(site.folder)/canary").files == ["file": Array("mine".utf8)])
        }
    }

    /// One trial: a run with the fault, then a run without.
    ///
    /// - Returns: Whether the fault occurred before the end of the run.
    private func survives(
        _ scene: Scene, _ fault: FaultShim.Fault, at number: Int, _ shim: FaultShim, _ site: Site,
        _ whole: TreeImage
    ) async throws -> Bool {
        let root = "trial\(number)"
        let path = "\(site.folder)/\(root)"
        try await prepare(scene, site, root: root)
        let faulty = try await play(scene, site, shim.variables(fault, at: number), root: root)
        let cameTrue = shim.calls.count >= number
        let (trial, half) = ("\(fault) at \(number): \(faulty)", try site.tree(path))
        #expect(half.damage == [] && half.strangers(to: whole) == [], "\(trial)")
        #expect(faulty.signal == (fault == .kill && cameTrue ? SIGKILL : nil), "\(trial)")
        // The exit code is correct, with an error message.
        if faulty.code == 0 { #expect(half.complete == whole.complete, "\(trial)") }
        if let code = faulty.code {
            #expect(faulty.sentences.count == (code == 0 ? 0 : 1), "\(trial)")
        }

        site.simulator.resetLog()
        let clean = try await play(scene, site, [:], root: root)
        let tree = try site.tree(path)
        #expect(clean.code == 0, "\(trial); \(clean)")
        #expect(tree.differences(from: whole) == [] && tree.incoming == [], "\(trial)")
        let requested = Set(site.simulator.requests.filter { $0.kind == .media }.compactMap(\.day))
        #expect(requested.isDisjoint(with: half.complete), "\(trial)")
        return cameTrue
    }

    /// Prepares the initial state of `scene`.
    private func prepare(_ scene: Scene, _ site: Site, root: String) async throws {
        if scene != .days { _ = try await play(.days, site, [:], root: root) }
    }

    private func play(
        _ scene: Scene, _ site: Site, _ environment: [String: String], root: String
    ) async throws -> Ending {
        let words =
            ["run", "--once", "-q"] + site.settings(root: "\(site.folder)/\(root)") + Self.days
            + ["--thumbnails", scene == .thumbnails ? "yes" : "no"]
            + (scene == .sidecars ? ["--sidecars"] : [])
        // Its own home directory, so that each trial makes the same calls.
        let home = ["HOME": "\(site.folder)/home-\(root)"]
        return try await site.start(words, environment: environment.merging(home) { $1 }).end()
    }
}
