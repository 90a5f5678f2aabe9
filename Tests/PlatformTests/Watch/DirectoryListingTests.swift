import Glibc
import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(10))) struct DirectoryListingTests {
    @Test func everyItemIsListedWithItsType() async throws {
        try await withDisk { disk in
            disk.makeDirectory("favorites/a folder")
            disk.link("favorites/link", to: "../pictures/one.jpg")
            disk.link("favorites/a folder/loop", to: "loop")
            disk.write("favorites/a folder/copy.jpg", "nine byte")
            _ = unsafe mkfifo("\(disk.path)/favorites/fifo", 0o644)

            let listing = try #require(try Directory(opening: disk.path).listing(of: "favorites"))

            #expect(Set(listing.items.map(FoundItem.init)) == disk.found())
            #expect(listing.items.count == 4)
            #expect(listing.failures.isEmpty)
            let copy = try #require(listing.items.first { $0.kind == .file })
            guard case .other(let status) = copy.details else { Issue.record("a link"); return }
            #expect(status.size == 9)
            #expect(copy.identity == status.identity)
        }
    }

    /// Otherwise changes between reading a directory and watching it would be lost.
    @Test func aDirectoryIsReadAfterItsWatchIsSet() async throws {
        try await withDisk { disk in
            disk.makeDirectory("favorites/a")
            var number = 0

            let listing = try Directory(opening: disk.path).listing(of: "favorites") {
                (_, _) in
                number += 1
                disk.link("favorites/\(number)")
                disk.link("favorites/a/\(number)")
            }

            #expect(listing.found == disk.found().filter { $0.path != "2" })
        }
    }

    @Test func anItemThatIsRemovedDuringTheScanIsNotListed() async throws {
        try await withDisk { disk in
            disk.write("favorites/file")
            let path = "\(disk.path)/favorites/file"
            let rules = ScanRules { _ in
                _ = unsafe unlink(path)
                return false
            }

            let listing = try Directory(opening: disk.path).listing(of: "favorites", by: rules)

            #expect(listing?.items.isEmpty == true && listing?.failures.isEmpty == true)
        }
    }

    /// Each directory is visited, so that it is watched: a removal there can end the overflow.
    @Test func onlyDirectoriesThatWereReadToTheirEndAreListed() async throws {
        try await withDisk { disk in
            for name: Path in ["a", "b"] {
                disk.makeDirectory("favorites" / name)
                for number in 0..<3 { disk.write("favorites" / name / "\(number)") }
            }
            var visits = 0

            let listing = try Directory(opening: disk.path).listing(
                of: "favorites", by: ScanRules(maximumNames: 4)
            ) { _, _ in visits += 1 }

            #expect(visits == 3)
            #expect(listing?.directories == [[]])
            #expect(listing?.failures.map(\.isBeyondLimit) == [true])
            #expect(listing?.items.count == 2)
        }
    }

    @Test(.enabled(if: getuid() == 0, "mounts file systems"))
    func mountsAreReportedAndNotEntered() async throws {
        try await withDisk { disk in
            for name: Path in [
                "other", "other/folder", "favorites/a", "favorites/a/inner", "favorites/b",
            ] {
                disk.makeDirectory(name)
            }
            disk.write("favorites/b/file", "text")
            disk.write("favorites/b/plain", "text")
            // The directory itself may be a mount; a bind mount has the device of the directory above it.
            for (source, target) in [
                ("favorites", "favorites"), ("other", "favorites/a/inner"),
                ("favorites/b/plain", "favorites/b/file"),
            ] {
                let target = "\(disk.path)/\(target)"
                try #require(
                    unsafe mount("\(disk.path)/\(source)", target, "", UInt(MS_BIND), nil) == 0)
            }
            defer {
                for name in ["a/inner", "b/file", "."] {
                    _ = unsafe umount2("\(disk.path)/favorites/\(name)", CInt(MNT_DETACH))
                }
            }

            let root = try Directory(opening: disk.path, enteringNoMountsIn: "favorites")
            let listing = try #require(try root.listing(of: "favorites"))

            #expect(
                Set(listing.failures.map(\.path))
                    == Set(["a/inner", "b/file"].map { Array($0.utf8) }))
            #expect(listing.failures.allSatisfy { $0.error.code == EXDEV })
            #expect(listing.items.map { String(decoding: $0.path, as: UTF8.self) } == ["b/plain"])
            #expect(throws: SystemError.self) { try root.folder("favorites/a/inner/folder") }
            #expect(throws: SystemError.self) {
                try root.folder("favorites")?.folder("b")?.status("file")
            }
            #expect(try root.folder("other/folder") != nil)
        }
    }
}
