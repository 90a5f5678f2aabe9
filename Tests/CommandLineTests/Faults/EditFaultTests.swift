import APOD
import Glibc
import Mirror
import Platform
import Simulator
import Testing

/// NASA edits mirrored days, and each call that changes the file system fails once.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: FaultShim.isPossible))
struct EditFaultTests {
    /// One day after another, so that the order of calls is nearly reproducible.
    private static let options = [
        "--since", "4d", "--jobs", "1", "--videos", "--thumbnails", "no", "--sidecars",
    ]
    /// What a photo manager wrote into a sidecar.
    private static let tag = "<my:tag xmlns:my=\"urn:mine\">comet</my:tag>"

    @Test(arguments: FaultShim.Fault.standard)
    func anInterruptedEditIsCompletedOrUndone(fault: FaultShim.Fault) async throws {
        try await withFaultTrials(of: fault, days: 4) { trials in
            let site = trials.site
            try site.addVideo()
            #expect(try await trials.run(Self.options).code == 0)
            try addTag(trials)
            let before = try trials.tree()
            try site.editAll()
            try trials.begin()
            let calm = try await trials.run(Self.options, failingAt: -1)
            let whole = try trials.tree()
            let calls = trials.shim.calls.count
            #expect(calm.code == 0 && whole.damage == [], "\(calm)")
            #expect(whole.lost(of: before) == [])
            #expect(whole.complete.count == 4 && whole.previous.count >= 4, "\(whole.files.keys)")
            #expect(tagged(whole).count == 1 && tagged(whole)[0].hasSuffix(".png.xmp"))

            var interrupted = 0
            let sample = FaultTrials.numbers(of: calls)
            // Few calls interrupt the edit: where none of the sample did, the others are tried until one does.
            for number in sample + Array(1...calls).filter({ !sample.contains($0) }).shuffled() {
                if !sample.contains(number), interrupted > 0 || fault != .kill { break }
                let faulty = try await trials.run(Self.options, failingAt: number)
                let half = try trials.tree()
                let trial = "\(fault) at \(number): \(faulty)"
                #expect(half.lost(of: before) == [], "\(trial)")
                #expect(tagged(half).count == 1, "\(trial)")
                #expect(faulty.signal == nil || fault == .kill, "\(trial)")
                // The exit code is correct.
                if faulty.code == 0 { #expect(half.revisions == whole.revisions, "\(trial)") }
                if fault == .kill, try await loseDownloads(trials, before, trial) {
                    interrupted += 1
                }

                site.simulator.resetLog()
                let clean = try await trials.run(Self.options)
                let tree = try trials.tree()
                #expect(clean.code == 0, "\(trial); \(clean)")
                #expect(tree.damage == [], "\(trial)")
                #expect(tree.lost(of: before) == [], "\(trial)")
                #expect(tree.differences(from: whole) == [] && tree.incoming == [], "\(trial)")
                #expect(tree.previous.keys == whole.previous.keys, "\(trial)")
                let requested = site.simulator.requests.filter { $0.kind == .media }.compactMap(
                    \.day)
                let done = Set(half.revisions.intersection(whole.revisions).map(\.day))
                #expect(done.isDisjoint(with: requested), "\(trial)")
            }
            #expect(interrupted > 0 || fault != .kill)
            print("\(fault): every eighth of \(calls) calls failed once")
        }
    }

    /// Removes the new files of an edit, which NASA does not have either; the edit must be undone.
    ///
    /// Afterwards the trial is as before.
    ///
    /// - Returns: Whether the edit was interrupted.
    private func loseDownloads(
        _ trials: FaultTrials, _ before: TreeImage, _ trial: String
    ) async throws -> Bool {
        let site = trials.site
        let own = try #require(try Directory(opening: trials.root).folder(Layout.own))
        let incoming = try #require(try own.folder("incoming"))
        let staged = try incoming.textNames()
        guard !staged.isEmpty else { return false }
        try site.copy("trial", to: "half")
        for name in staged where !name.hasSuffix(".json") { try incoming.remove(name) }
        let isInterrupted = !(try trials.tree().damage.isEmpty)
        site.simulator.inject(.notFound, on: .media, times: nil)
        _ = try await trials.run(Self.options)
        site.simulator.clearFaults()
        let tree = try trials.tree()
        #expect(tree.damage == [], "without its downloads: \(trial)")
        #expect(tree.lost(of: before) == [], "without its downloads: \(trial)")
        try site.copy("half", to: "trial")
        return isInterrupted
    }

    // MARK: Sidecars

    /// The sidecars with the tag of a photo manager.
    private func tagged(_ tree: TreeImage) -> [String] {
        tree.sidecars.filter { path in
            tree.files[path]?.contains(bytes: Array(Self.tag.utf8)) == true
        }
    }

    /// Adds the tag to the sidecar of the picture that gets another type.
    private func addTag(_ trials: FaultTrials) throws {
        let tree = try trials.tree()
        let name = "/\(Site.today.advanced(by: -1))"
        let sidecar = tree.sidecars.first { $0.contains(name) }
        let path = try #require(sidecar)
        let text = String(decoding: tree.files[path] ?? [], as: UTF8.self)
        let end = "</rdf:Description>"
        try trials.site.write(
            text.replacing(end, with: Self.tag + end), to: "trial/apod/\(path)")
    }
}
