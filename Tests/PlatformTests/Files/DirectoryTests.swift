import Glibc
import Platform
import TestSupport
import Testing

@Suite struct DirectoryTests {
    @Test func theTimeBehindALinkInThePathIsNotChanged() async throws {
        try await withDirectory { root in
            _ = try root.makeDirectory("folder/inner")
            try root.symlink("link", to: "folder")
            let before = try root.status("folder/inner")

            #expect(throws: SystemError.self) { try root.setModified(1, of: "link/inner") }

            #expect(try root.status("folder/inner") == before)
            try root.setModified(1, of: "link")
            try root.setModified(2, of: "folder/inner")
            #expect(try root.status("link")?.modified == 1)
            #expect(try root.status("folder/inner")?.modified == 2)
        }
    }

    /// A combining mark at the start of a name is one character with the slash before it.
    @Test func aNameMayBeginWithACombiningMark() async throws {
        try await withTemporaryFolder { path in
            let root = try Directory(opening: path)
            _ = try root.makeDirectory("a/\u{301}b")

            #expect(try root.textNames() == ["a"])
            #expect(try root.textNames(in: "a") == ["\u{301}b"])
            #expect(resolvedPath("\(path)/missing/\u{301}c").hasSuffix("missing/\u{301}c"))
        }
    }

    /// Every call with a name as argument.
    enum Call: CaseIterable {
        case rename, renameTo, renameExclusive, link, linkTo, symlink, remove, removeDirectory
        case makeDirectory, open, status, target

        func make(_ name: String, in root: Directory) throws {
            let bytes = Array(name.utf8)
            switch self {
            case .rename: try root.rename(name, to: root, as: "new")
            case .renameTo: try root.rename("file", to: root, as: name)
            case .renameExclusive: try root.renameExclusive("file", to: root, as: name)
            case .link: try root.link(name, to: root, as: "new")
            case .linkTo: try root.link(Array("file".utf8), to: root, as: name)
            case .symlink: try root.symlink(name, to: "anywhere")
            case .remove: try root.remove(name)
            case .removeDirectory: try root.removeDirectory(bytes)
            case .makeDirectory: _ = try root.createDirectory(bytes)
            case .open: _ = try root.open(name, O_RDWR | O_CREAT)
            case .status:
                // The error reveals nothing about files outside.
                if try root.status(bytes) != nil { return }
                throw SystemError("stat", path: name, code: ENOENT)
            case .target:
                if root.target(of: name) == nil { throw SystemError("", path: "", code: 0) }
            }
        }
    }

    @Test(
        arguments: Call.allCases,
        [
            "link/file", "link/folder", "link/target", "link/new", "../outside/file",
            "../outside/new",
        ])
    func noCallFollowsALinkOrLeavesTheDirectory(_ call: Call, _ name: String) async throws {
        try await withTemporaryFolder { path in
            let outside = try Directory(opening: path).makeDirectory("outside")
            _ = try outside.makeDirectory("folder")
            try outside.symlink("target", to: "somewhere")
            try outside.open("file", O_RDWR | O_CREAT).write([1], path: "")
            let root = try Directory(opening: path).makeDirectory("root")
            try root.symlink("link", to: "\(path)/outside")
            try root.open("file", O_RDWR | O_CREAT).write([2], path: "")

            #expect(throws: SystemError.self) { try call.make(name, in: root) }

            #expect(Set(try outside.textNames()) == ["file", "folder", "target"])
            #expect(try outside.read("file") == [1])
            #expect(Set(try root.textNames()) == ["file", "link"])
        }
    }

    @Test(arguments: Call.allCases, ["", ".", "..", "file\u{0}x", "/", "folder/..", "folder/"])
    func noCallAcceptsAnInvalidName(_ call: Call, _ name: String) async throws {
        try await withDirectory { root in
            _ = try root.makeDirectory("folder")
            try root.open("file", O_RDWR | O_CREAT).write([2], path: "")

            #expect(throws: SystemError.self) { try call.make(name, in: root) }

            #expect(Set(try root.textNames()) == ["file", "folder"])
        }
    }

    @Test func anExclusiveRenameReplacesNothing() async throws {
        try await withDirectory { root in
            try root.open("new", O_RDWR | O_CREAT).write([1], path: "")
            try root.open("old", O_RDWR | O_CREAT).write([2], path: "")
            let new = Array("new".utf8)

            for rename: () throws -> Void in [
                { try root.renameExclusive("new", to: root, as: "old") },
                { try root.renameExclusive(new, to: root, as: "old") },
            ] {
                let error = #expect(throws: SystemError.self) { try rename() }
                #expect(error?.code == EEXIST)
            }
            #expect(try root.read("new") == [1])
            #expect(try root.read("old") == [2])
        }
    }

    @Test func anItemThatCannotBeExaminedIsNotMissing() async throws {
        try await withDirectory { root in
            #expect(root.isCertainlyMissing("a"))
            // Too long for any file system: ENAMETOOLONG.
            #expect(!root.isCertainlyMissing(String(repeating: "a", count: 300)))
        }
    }

    @Test func aFileAboveTheLimitIsNotRead() async throws {
        try await withTemporaryFolder { path in
            let root = try Directory(opening: path)
            try root.open("file", O_RDWR | O_CREAT).write([1, 2, 3, 4], path: "file")

            #expect(try root.read("file", limit: 4) == [1, 2, 3, 4])
            #expect(throws: SystemError("read", path: "\(path)/file", code: EFBIG)) {
                try root.read("file", limit: 3)
            }
        }
    }
}
