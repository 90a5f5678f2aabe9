import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
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
        try await withSite(days: 4) { site in
            try addVideo(to: site)
            #expect(try await run(site, "before", keep: "all").code == 0)
            try await interrupt(fault, in: site, keep: "3d")
        }
    }

    @Test(arguments: FaultShim.Fault.standard)
    func anInterruptedReturnLeavesRecordAndFilesInAgreement(
        fault: FaultShim.Fault
    ) async throws {
        try await withSite(days: 4) { site in
            try addVideo(to: site)
            _ = try await run(site, "before", keep: "all")
            _ = try await run(site, "before", keep: "3d")
            #expect(try site.tree("\(site.folder)/before").trash.count == 3)
            try await interrupt(fault, in: site, keep: "all")
        }
    }

    /// Runs with `keep` on copies of the same tree; each call fails in one of them.
    private func interrupt(_ fault: FaultShim.Fault, in site: Site, keep: String) async throws {
        let shim = try await FaultShim(for: site)
        let before = try site.tree("\(site.folder)/before")
        try site.copy("before", to: "whole")
        let calm = try await run(site, "whole", keep: keep, shim.variables(fault, at: -1))
        let whole = try site.tree("\(site.folder)/whole")
        let calls = shim.calls.count
        #expect(calm.code == 0 && whole.damage == [] && whole.incoming == [], "\(calm)")
        #expect(whole.trash.isEmpty == (keep == "all"))

        for number in 1...calls {
            try site.copy("before", to: "trial")
            let faulty = try await run(site, "trial", keep: keep, shim.variables(fault, at: number))
            let half = try site.tree("\(site.folder)/trial")
            let trial = "\(fault) at \(number): \(faulty)"
            #expect(half.missing(from: before) == [], "\(trial)")
            #expect(faulty.signal == nil || fault == .kill, "\(trial)")

            let clean = try await run(site, "trial", keep: keep)
            let tree = try site.tree("\(site.folder)/trial")
            #expect(clean.code == 0 && tree.damage == [] && tree.incoming == [], "\(trial)")
            #expect(tree.removedThatAreThere == [], "\(trial)")
            #expect(tree.missing(from: before) == [], "\(trial)")
            #expect(tree.differences(from: whole) == [], "\(trial); \(clean)")
            #expect(tree.complete == whole.complete, "\(trial)")
            // An interrupted return can leave a second name in the trash, which is emptied later.
            #expect(whole.trash.allSatisfy { tree.trash[$0.key] == $0.value }, "\(trial)")
        }
        print("\(fault) with --keep \(keep): each of \(calls) calls failed once")
    }

    /// The oldest day has a poster, a video and the name of its page.
    private func addVideo(to site: Site) throws {
        func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
            [0, 0, 0, UInt8(content.count + 8)] + Array(name.utf8) + content
        }
        let film =
            box("ftyp", Array("isom".utf8) + [0, 0, 2, 0]) + box("moov", [])
            + box("mdat", Array("film".utf8))
        site.simulator.publish(
            SimulatedEntry(
                day: Site.today.advanced(by: -3), title: "A Comet", explanationHTML: "It moves.",
                media: .videoFile(
                    SimulatedPicture(name: "comet.mp4", source: .bytes(film)),
                    poster: SimulatedPicture(
                        name: "poster.jpg",
                        source: .drawn(Drawing(seed: 1, width: 64, height: 40, format: .jpeg))))))
    }

    private func run(
        _ site: Site, _ root: String, keep: String, _ environment: [String: String] = [:]
    ) async throws -> Ending {
        let words =
            ["run", "--once", "-q"] + site.settings(root: "\(site.folder)/\(root)") + Self.options
            + ["--keep", keep]
        let home = ["HOME": "\(site.folder)/home"]
        return try await site.start(words, environment: environment.merging(home) { $1 }).end()
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
