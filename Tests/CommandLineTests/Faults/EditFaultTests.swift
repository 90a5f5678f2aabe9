import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

/// NASA edits mirrored days, and each call that changes the file system fails once.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: FaultShim.isPossible))
struct EditFaultTests {
    /// One day after another, so that the order of calls is nearly reproducible.
    static let options = ["--since", "4d", "--jobs", "1", "--videos", "--thumbnails", "no"]

    @Test(arguments: FaultShim.Fault.standard)
    func anInterruptedEditIsCompletedOrUndone(fault: FaultShim.Fault) async throws {
        try await withSite(days: 4) { site in
            let shim = try await FaultShim(for: site)
            try site.addVideo()
            #expect(try await run(site, "before").code == 0)
            let before = try site.tree("\(site.folder)/before")
            try site.editAll()
            try site.copy("before", to: "whole")
            let calm = try await run(site, "whole", shim.variables(fault, at: -1))
            let whole = try site.tree("\(site.folder)/whole")
            let calls = shim.calls.count
            #expect(calm.code == 0 && whole.damage == [], "\(calm)")
            #expect(whole.lost(of: before) == [])
            #expect(whole.complete.count == 4 && whole.previous.count >= 4, "\(whole.files.keys)")

            for number in 1...calls {
                try site.copy("before", to: "trial")
                let faulty = try await run(site, "trial", shim.variables(fault, at: number))
                let half = try site.tree("\(site.folder)/trial")
                let trial = "\(fault) at \(number): \(faulty)"
                #expect(half.lost(of: before) == [], "\(trial)")
                #expect(faulty.signal == nil || fault == .kill, "\(trial)")
                // The exit code is correct.
                if faulty.code == 0 { #expect(half.revisions == whole.revisions, "\(trial)") }

                site.simulator.resetLog()
                let clean = try await run(site, "trial")
                let tree = try site.tree("\(site.folder)/trial")
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
            print("\(fault): each of \(calls) calls failed once")
        }
    }

    /// The edit is undone if its new files are missing.
    @Test func anEditWithoutItsDownloadsIsUndone() async throws {
        try await withSite(days: 4) { site in
            let shim = try await FaultShim(for: site)
            try site.addVideo()
            #expect(try await run(site, "before").code == 0)
            let before = try site.tree("\(site.folder)/before")
            try site.editAll()
            try site.copy("before", to: "whole")
            _ = try await run(site, "whole", shim.variables(.kill, at: -1))
            let calls = shim.calls.count
            var interrupted = 0
            for number in 1...calls {
                try site.copy("before", to: "trial")
                _ = try await run(site, "trial", shim.variables(.kill, at: number))
                let own = try #require(
                    try Directory(opening: "\(site.folder)/trial").folder(Layout.own))
                let incoming = try #require(try own.folder("incoming"))
                for name in try incoming.textNames() where !name.hasSuffix(".json") {
                    try incoming.remove(name)
                }
                if !(try site.tree("\(site.folder)/trial").damage.isEmpty) { interrupted += 1 }
                site.simulator.inject(.notFound, on: .media, times: nil)
                _ = try await run(site, "trial")
                site.simulator.clearFaults()
                let tree = try site.tree("\(site.folder)/trial")
                #expect(tree.damage == [], "kill at \(number)")
                #expect(tree.lost(of: before) == [], "kill at \(number)")
            }
            #expect(interrupted > 0)
        }
    }

    // MARK: Running

    private func run(
        _ site: Site, _ root: String, _ environment: [String: String] = [:]
    ) async throws -> Ending {
        let words =
            ["run", "--once", "-q"] + site.settings(root: "\(site.folder)/\(root)") + Self.options
        let home = ["HOME": "\(site.folder)/home"]
        return try await site.start(words, environment: environment.merging(home) { $1 }).end()
    }
}
