import Glibc
import Platform
import Testing

extension WatchTests {
    @Suite struct DirectoryWatcherTests {
        /// The operations of users in a directory with a link `old`.
        enum Change: CaseIterable {
            case link, rename, replace, unlink, copy, moveOut, moveIn, makeAndFill, moveFolderIn

            func make(_ disk: Disk, _ folder: Path) {
                switch self {
                case .link: disk.link(folder / "new", to: "/new")
                case .rename: disk.rename(folder / "old", folder / "new")
                case .replace: disk.replaceLink(folder / "old", to: "/new")
                case .unlink: disk.unlink(folder / "old")
                case .copy: disk.write(folder / "copy.jpg")
                case .moveOut: disk.rename(folder / "old", "outside/old")
                case .moveIn: disk.rename("outside/other", folder / "new")
                case .makeAndFill:
                    disk.makeDirectory(folder / "one")
                    disk.makeDirectory(folder / "one/two")
                    disk.link(folder / "one/two/link")
                case .moveFolderIn: disk.rename("outside/full", folder / "full")
                }
            }
        }

        @Test(arguments: Change.allCases, [0, 5, 40])
        func aChangeIsDetectedAtAnyDepth(change: Change, depth: Int) async throws {
            try await withDisk { disk in
                let folder = disk.makeFolders(depth)
                disk.link(folder / "old")
                disk.link("outside/other")
                disk.makeDirectory("outside/full")
                disk.link("outside/full/link")
                let watch = try disk.watch()
                try await watch.begin()
                let before = disk.found()
                change.make(disk, folder)
                let after = disk.found()

                try await watch.scan { $0 == after }

                #expect(before != after)
                #expect(await watch.causesNoReason())
            }
        }

        @Test func aFileWrittenLaterIsDetected() async throws {
            try await withDisk { disk in
                disk.write("favorites/a.desktop", "")
                let watch = try disk.watch()
                try await watch.begin()

                disk.write("favorites/a.desktop", "[Desktop Entry]")

                #expect(await watch.nextReason() == .changed)
            }
        }

        /// It is one failure, not one of each entry, and does not cause polling: its parent reports its permissions.
        @Test func aFolderThatMayNotBeSearchedCannotBeRead() async {
            await #expect(processExitsWith: .success) {
                let user = geteuid()
                if user == 0 { precondition(seteuid(65534) == 0) }
                defer { seteuid(user) }
                try await withDisk { disk in
                    disk.makeDirectory("favorites/closed")
                    disk.makeDirectory("favorites/closed/folder")
                    for name in ["a", "b"] { disk.link("favorites/closed/\(name)") }
                    disk.setMode("favorites/closed", 0o444)
                    let watch = try disk.watch()
                    #expect(await watch.nextReason() == .started)

                    let listing = try #require(try await watch.scan())

                    #expect(listing.failures.map(\.path) == [Array("closed".utf8)])
                    let error = try #require(listing.failures.first).error
                    #expect(error.code == EACCES && error.path.hasSuffix("/favorites/closed"))
                    #expect(await watch.mode == .events)
                    disk.setMode("favorites/closed", 0o755)
                    #expect(try await watch.scan { $0.count == 2 } == .changed)
                }
            }
        }

        @Test(arguments: ["file", "folder"])
        func anItemThatBecomesReadableIsDetected(kind: String) async throws {
            try await withDisk { disk in
                if kind == "file" {
                    disk.write("favorites/closed")
                } else {
                    disk.makeDirectory("favorites/closed")
                }
                disk.setMode("favorites/closed", 0)
                let watch = try disk.watch()
                try await watch.begin()

                disk.setMode("favorites/closed", 0o755)

                #expect(await watch.nextReason() == .changed)
            }
        }
    }
}

extension Disk {
    /// `favorites` with `depth` nested directories, and the innermost one.
    func makeFolders(_ depth: Int) -> Path {
        (0..<depth).reduce("favorites") { folder, number in
            let folder = folder / "\(number)"
            makeDirectory(folder)
            return folder
        }
    }
}
