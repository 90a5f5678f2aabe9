import Glibc
import Platform
import TestSupport
import Testing

@Suite struct FolderTests {
    @Test func makesAFolderWithAllAboveIt() async throws {
        try await withTemporaryFolder { path in
            let root = try Folder(opening: path)

            let made = try root.makeFolder("a/b/c")
            let again = try root.makeFolder("a/b/c")

            #expect(try made.status().identity == again.status().identity)
            #expect(try root.status("a/b/c")?.kind == .directory)
        }
    }

    @Test func absentIsNilAndNoError() async throws {
        try await withTemporaryFolder { path in
            let root = try Folder(opening: path)

            let absent = try root.folder("x")
            #expect(absent?.path == nil)
            #expect(try root.read("x/y") == nil)
            #expect(try root.status("x/y") == nil)
            #expect(root.target(of: "x") == nil)
            try root.remove("x")
        }
    }

    @Test(arguments: ["link", "link/inner", "link/inner/file", "../outside", "/etc/passwd"])
    func neverGoesThroughALinkOrOutside(place: String) async throws {
        try await withTemporaryFolder { path in
            let outside = try Folder(opening: path).makeFolder("outside")
            _ = try outside.makeFolder("inner")
            let root = try Folder(opening: path).makeFolder("root")
            try root.symlink("link", to: "\(path)/outside")

            #expect(throws: SystemError.self) { _ = try root.open(place, O_RDWR | O_CREAT) }
            #expect(throws: SystemError.self) { _ = try root.makeFolder(place) }
            #expect(throws: SystemError.self) { _ = try root.read(place) }
            #expect(try outside.names() == [Array("inner".utf8)])
        }
    }

    @Test func neverWaitsForAFifo() async throws {
        try await withTemporaryFolder { path in
            _ = unsafe mkfifo("\(path)/fifo", 0o600)

            let root = try Folder(opening: path)
            #expect(try root.read("fifo") == [])
        }
    }

    @Test func listsNamesOfAnyBytes() async throws {
        try await withTemporaryFolder { path in
            let root = try Folder(opening: path)
            let names: [[UInt8]] = [[0xff, 0xfe], Array("a\nb".utf8), Array("-rf".utf8)]
            for name in names {
                let place = Array("\(path)/".utf8) + name + [0]
                let descriptor = unsafe open(place.map { CChar(bitPattern: $0) }, O_CREAT, 0o600)
                close(descriptor)
            }

            #expect(Set(try root.names()) == Set(names))
            #expect(Set(try root.textNames()) == ["a\nb", "-rf"])
            for name in names {
                let place = Array("\(path)/".utf8) + name + [0]
                _ = unsafe unlink(place.map { CChar(bitPattern: $0) })
            }
        }
    }

    @Test func refusesToReadMoreThanItsLimit() async throws {
        try await withTemporaryFolder { path in
            let root = try Folder(opening: path)
            try root.open("file", O_RDWR | O_CREAT).write([1, 2, 3, 4], path: "file")

            #expect(try root.read("file", limit: 4) == [1, 2, 3, 4])
            #expect(throws: SystemError("read", path: "\(path)/file", code: EFBIG)) {
                try root.read("file", limit: 3)
            }
        }
    }
}
