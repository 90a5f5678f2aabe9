import Glibc
import Mirror
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct TreeLocationTests {
    @Test func aFileBelongsToTheMirrorAboveIt() async throws {
        try await withTemporaryFolder { folder in
            let root = "\(folder)/apod"
            _ = try Tree.writing(root, known: KnownMirrors(environment: [:]))
            _ = try Directory(opening: folder).makeDirectory("elsewhere/.apod-mirror")

            let inside = try Tree.location(of: "\(root)/pictures/2026/x.jpg")
            #expect(inside?.root == root && inside?.pathInMirror == "pictures/2026/x.jpg")
            #expect(try Tree.location(of: root) == nil)
            #expect(try Tree.location(of: "\(folder)/elsewhere/x.jpg") == nil)
            #expect(try Tree.location(of: "/") == nil)
        }
    }

    /// Another mirror in its place would get what is meant for this one.
    @Test func aMirrorThatThisUserMayNotReadIsAnErrorAndOtherFoldersAreNone() async {
        await #expect(processExitsWith: .success) {
            if geteuid() == 0 { precondition(seteuid(65534) == 0) }
            defer { seteuid(getuid()) }
            try await withTemporaryFolder { folder in
                let root = "\(folder)/apod"
                _ = try Tree.writing(root, known: KnownMirrors(environment: [:]))
                let home = try Directory(opening: folder).makeDirectory("home")
                _ = try home.makeDirectory("user/project")
                _ = try home.makeDirectory(".apod-mirror")
                for name in ["pictures", "metadata"] {
                    _ = try Directory(opening: root).makeDirectory(name)
                }
                let file = "\(home.path)/user/project/x.jpg"

                for (path, mode) in [(root, 0o644), ("\(root)/.apod-mirror", 0)]
                    as [(String, mode_t)]
                {
                    precondition(unsafe chmod(path, mode) == 0)
                    #expect(throws: SystemError.self) { try Tree.location(of: "\(root)/.") }
                    precondition(unsafe chmod(path, 0o755) == 0)
                }
                for path in ["\(home.path)/.apod-mirror", home.path, "\(home.path)/user"] {
                    precondition(unsafe chmod(path, 0) == 0)
                    #expect(try Tree.location(of: file) == nil)
                    precondition(unsafe chmod(path, 0o755) == 0)
                }
            }
        }
    }
}
