import APOD
import Glibc
import JSON
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Maintenance
@testable import Mirror

@Suite(.timeLimit(.minutes(10))) struct ManifestTests {
    private func manifest(
        of mirror: MirrorUnderTest, in scope: VerifyScope = .all
    ) throws -> Manifest {
        try Manifest(of: mirror.tree, TreeSnapshot(of: mirror.tree.root), in: scope)
    }

    /// Runs sha256sum(1) in the tree.
    private func check(_ manifest: Manifest, of mirror: MirrorUnderTest) throws -> CInt {
        try mirror.write(manifest.text, to: "list")
        defer { try? mirror.remove("list") }
        return unsafe system(
            "cd '\(mirror.tree.root.path)' && sha256sum -c --strict --status list 2>/dev/null")
    }

    @Test func sha256sumAcceptsTheOriginalsAndFindsDamage() async throws {
        try await withMirror(extras: .all) { mirror in
            await mirror.sync(downloadsVideos: true)
            let manifest = try manifest(of: mirror)

            #expect(manifest.files.count >= 9)
            #expect(manifest.files.contains { $0.path.hasSuffix(".mp4") })
            #expect(try check(manifest, of: mirror) == 0)
            for file in manifest.files {
                #expect(try mirror.tree.root.status(file.path)?.size == file.bytes)
                #expect(
                    manifest.text.contains(
                        "\n# \(file.bytes) bytes\n\(file.sha256)  \(file.path)\n"))
            }

            try mirror.flipBit(try mirror.picture())
            #expect(try check(manifest, of: mirror) != 0)
            #expect(try self.manifest(of: mirror).text == manifest.text, "it has what is recorded")
        }
    }

    @Test func namesOfAnyBytesAreEscapedAsSha256sumReadsThem() async throws {
        try await withSyncedMirror { mirror in
            let path = try mirror.picture()
            let odd = String(try #require(path.splitAtLastDot).stem) + "\\n \n#.jpg"
            var record = try mirror.record()
            record.picture?.path = odd
            try mirror.move(path, to: odd)
            try mirror.write(
                String(decoding: record.json.document, as: UTF8.self), to: mirror.recordPath())

            let manifest = try manifest(of: mirror)

            #expect(manifest.files.contains { $0.path == odd })
            #expect(try check(manifest, of: mirror) == 0)
        }
    }

    @Test func onlyTheFilesOfTheScopeThatAreInTheTreeAreListed() async throws {
        try await withSyncedMirror { mirror in
            let day = MirrorUnderTest.newest.advanced(by: -1)
            try mirror.write("no record", to: mirror.recordPath(2))

            #expect(
                try manifest(of: mirror, in: .days([day])).files.map(\.path) == [mirror.picture()])
            let other = try manifest(of: mirror, in: .days([day.advanced(by: -1)]))
            #expect(other.files == [] && other.daysLeftOut == [day.advanced(by: -1)])
        }
    }
}
