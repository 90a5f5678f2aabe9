import APOD
import Glibc
import Mirror
import Platform
import Simulator
import Testing

/// NASA edits a day with a sidecar, and each call that changes the file system fails once
/// meanwhile.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: FaultShim.isPossible))
struct SidecarFaultTests {
    private static let tag = "<my:tag xmlns:my=\"urn:mine\">comet</my:tag>"

    @Test(arguments: FaultShim.Fault.standard)
    func aSidecarOutlivesAnInterruptedEdit(fault: FaultShim.Fault) async throws {
        try await withSite(days: 2) { site in
            let shim = try await FaultShim(for: site)
            #expect(try await run(site, "before").code == 0)
            try addTag(in: site)
            try edit(site)
            try site.copy("before", to: "whole")
            let calm = try await run(site, "whole", shim.variables(fault, at: -1))
            let whole = try site.tree("\(site.folder)/whole")
            let calls = shim.calls.count
            #expect(calm.code == 0 && whole.sidecars.count == 2, "\(calm); \(whole.files.keys)")
            #expect(tagged(whole).count == 1 && tagged(whole)[0].hasSuffix(".png.xmp"))

            for number in 1...calls {
                try site.copy("before", to: "trial")
                let faulty = try await run(site, "trial", shim.variables(fault, at: number))
                let trial = "\(fault) at \(number): \(faulty)"
                #expect(tagged(try site.tree("\(site.folder)/trial")).count == 1, "\(trial)")

                let clean = try await run(site, "trial")
                let tree = try site.tree("\(site.folder)/trial")
                #expect(clean.code == 0 && tree.damage == [] && tree.incoming == [], "\(trial)")
                #expect(tree.differences(from: whole) == [], "\(trial)")
            }
            print("\(fault): each of \(calls) calls failed once")
        }
    }

    /// The sidecars with the tag of a photo manager.
    private func tagged(_ tree: TreeImage) -> [String] {
        tree.sidecars.filter { path in
            String(decoding: tree.files[path] ?? [], as: UTF8.self).contains(Self.tag)
        }
    }

    private func addTag(in site: Site) throws {
        let tree = try site.tree("\(site.folder)/before")
        let path = try #require(tree.sidecars.last)
        let text = String(decoding: tree.files[path] ?? [], as: UTF8.self)
        let end = "</rdf:Description>"
        try site.write(text.replacing(end, with: Self.tag + end), to: "before/\(path)")
    }

    /// The picture gets another type, and its day another title.
    private func edit(_ site: Site) throws {
        var entry = try #require(site.simulator.entry(of: Site.today))
        entry.title = "Another title"
        entry.media = .picture(
            SimulatedPicture(
                name: "other.png",
                source: .drawn(Drawing(seed: 7, width: 48, height: 32, format: .png))))
        site.simulator.publish(entry)
    }

    private func run(
        _ site: Site, _ root: String, _ environment: [String: String] = [:]
    ) async throws -> Ending {
        let words =
            ["run", "--once", "-q"] + site.settings(root: "\(site.folder)/\(root)")
            + ["--since", "2d", "--jobs", "1", "--thumbnails", "no", "--sidecars"]
        let home = ["HOME": "\(site.folder)/home"]
        return try await site.start(words, environment: environment.merging(home) { $1 }).end()
    }
}
