import APOD
import Glibc
import JSON
import Mirror
import Testing

/// Retention removes and restores a day, and each call that changes the file system fails once.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: FaultShim.isPossible))
struct RetentionFaultTests {
    private static let options = [
        "--jobs", "1", "--videos", "--thumbnails", "no", "--since", "4d", "--sidecars",
    ]

    @Test(arguments: FaultShim.Fault.standard)
    func anInterruptedRemovalLeavesRecordAndFilesInAgreement(
        fault: FaultShim.Fault
    ) async throws {
        try await withFaultTrials(of: fault, days: 4) { trials in
            // The oldest day has a poster, a video and the name of its page.
            try trials.site.addVideo(age: 3)
            #expect(try await trials.run(options(keep: "all")).code == 0)
            try await interrupt(trials, keep: "3d")
        }
    }

    @Test(arguments: FaultShim.Fault.standard)
    func anInterruptedReturnLeavesRecordAndFilesInAgreement(
        fault: FaultShim.Fault
    ) async throws {
        try await withFaultTrials(of: fault, days: 4) { trials in
            try trials.site.addVideo(age: 3)
            _ = try await trials.run(options(keep: "all"))
            _ = try await trials.run(options(keep: "3d"))
            #expect(try trials.tree().trash.count == 3)
            try await interrupt(trials, keep: "all")
        }
    }

    private func options(keep: String) -> [String] { Self.options + ["--keep", keep] }

    /// Runs with `keep` on copies of the same tree; each call fails in one of them.
    private func interrupt(_ trials: FaultTrials, keep: String) async throws {
        let options = options(keep: keep)
        let before = try trials.tree()
        try trials.begin()
        let calm = try await trials.run(options, failingAt: -1)
        let whole = try trials.tree()
        let calls = trials.shim.calls.count
        #expect(calm.code == 0 && whole.damage == [] && whole.incoming == [], "\(calm)")
        #expect(whole.trash.isEmpty == (keep == "all"))

        for number in FaultTrials.numbers(of: calls) {
            let faulty = try await trials.run(options, failingAt: number)
            let half = try trials.tree()
            let trial = "\(trials.fault) at \(number): \(faulty)"
            #expect(half.missing(from: before) == [], "\(trial)")
            #expect(faulty.signal == nil || trials.fault == .kill, "\(trial)")

            let clean = try await trials.run(options)
            let tree = try trials.tree()
            #expect(clean.code == 0 && tree.damage == [] && tree.incoming == [], "\(trial)")
            #expect(tree.removedThatAreThere == [], "\(trial)")
            #expect(tree.missing(from: before) == [], "\(trial)")
            #expect(tree.differences(from: whole) == [], "\(trial); \(clean)")
            #expect(tree.complete == whole.complete, "\(trial)")
            // An interrupted return can leave a second name in the trash, which is emptied later.
            #expect(whole.trash.allSatisfy { tree.trash[$0.key] == $0.value }, "\(trial)")
        }
        print("\(trials.fault) with --keep \(keep): every eighth of \(calls) calls failed once")
    }
}

extension TreeImage {
    /// The removed pictures and videos that are in the tree nevertheless.
    fileprivate var removedThatAreThere: [String] {
        records.values.flatMap { [$0["picture"], $0["video"]] }.compactMap { file in
            guard file?["removed"] != nil, let path = file?["path"]?.string else { return nil }
            return files[path] == nil ? nil : path
        }
    }

    /// The pictures and videos of `earlier` whose bytes are lost.
    fileprivate func missing(from earlier: TreeImage) -> [String] {
        let bytes = Set(files.values)
        return (earlier.pictures + earlier.files.keys.filter { $0.hasPrefix(Layout.trash) })
            .filter { path in earlier.files[path].map { !bytes.contains($0) } ?? false }
    }
}
