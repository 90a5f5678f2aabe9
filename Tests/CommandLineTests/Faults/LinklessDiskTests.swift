import Glibc
import Mirror
import Platform
import ProgramTesting
import Testing

extension WholeProgram {
    /// exFAT and some network file systems have no symbolic links.
    @Suite(
        .timeLimit(.minutes(10)), .enabled(if: FaultShim.isPossible, "needs a C compiler"))
    struct LinklessDiskTests {
        @Test(arguments: [EPERM, EIO, EPROTO, EROFS]) func aSyncWithoutNewsWritesNoTable(
            code: Int32
        ) async throws {
            try await withSite(days: 3) { site in
                let shim = try await FaultShim(for: site)
                func sync() async throws {
                    let ending = try await site.mirror(
                        "--since", "3d", "--wallpaper-size", "32x20", "--sidecars",
                        environment: shim.linkless(code))
                    #expect(ending.code == 0, "\(ending)")
                }
                for _ in 0..<2 { try await sync() }
                let before = try tables(site)

                try await sync()

                let after = try tables(site)
                #expect(after == before && before.count > 4)
                let root = try Directory(opening: site.root)
                #expect(try root.status(Layout.latestPicture) == nil)
                #expect(try root.status("index.html") != nil)
            }
        }

        /// The status of everything in the directory of the tables.
        private func tables(_ site: Site) throws -> [String: FileStatus] {
            let root = try Directory(opening: site.root)
            var tables: [String: FileStatus] = [:]
            var folders = [Layout.views]
            while let path = folders.popLast() {
                for name in try root.folder(path)?.textNames() ?? [] {
                    guard let status = try root.status("\(path)/\(name)") else { continue }
                    tables["\(path)/\(name)"] = status
                    if status.kind == .directory { folders.append("\(path)/\(name)") }
                }
            }
            return tables
        }
    }
}
