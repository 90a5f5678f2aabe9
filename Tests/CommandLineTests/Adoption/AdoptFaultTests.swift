import Glibc
import Mirror
import Simulator
import Testing

/// Each call that changes the file system fails once while pictures are imported.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: FaultShim.isPossible))
struct AdoptFaultTests {
    @Test(arguments: FaultShim.Fault.standard)
    func anInterruptedAdoptionContinues(fault: FaultShim.Fault) async throws {
        try await withFaultTrials(of: fault, days: 1) { trials in
            let (site, shim) = (trials.site, trials.shim)
            let root = "\(site.folder)/whole"
            _ = try await site.mirror("--since", "1d", "--thumbnails", "no", root: root)
            let whole = try site.tree(root)
            try site.export(whole, as: [{ "\($0).jpg" }])
            let source = try site.traces("source")
            let home = ["HOME": site.home]
            func variables(_ number: Int) -> [String: String] {
                shim.variables(fault, at: number).merging(home) { $1 }
            }
            site.simulator.resetLog()
            _ = try await site.adopt(environment: variables(-1))
            let calls = shim.calls.count

            for number in FaultTrials.numbers(of: calls) {
                let code = unsafe system("rm -rf '\(site.root)' '\(site.home)'")
                try #require(code == 0)
                let faulty = try await site.adopt(environment: variables(number))
                let half = try site.tree()
                let trial = "\(fault) at \(number): \(faulty)"
                #expect(half.damage == [], "\(trial)")
                #expect(half.strangers(to: whole).filter { !isRecord($0) } == [], "\(trial)")
                // The reported files still exist.
                if let report = try? AdoptReport(faulty) {
                    let kept = half.adopted.count + half.complete.count
                    #expect(report.adopted.count <= kept, "\(trial)")
                }

                let again = try await site.adopt()
                let tree = try site.tree()
                #expect(again.code == 0, "\(trial); \(again)")
                #expect(tree.mirrored == whole.mirrored, "\(trial)")
                #expect(tree.incoming == [] && tree.adopted == [], "\(trial)")
            }
            #expect(site.media == 0)
            #expect(try site.traces("source") == source)
            print("\(fault): every eighth of \(calls) calls failed once")
        }
    }

    private func isRecord(_ path: String) -> Bool { path.hasPrefix(Layout.metadata) }
}
