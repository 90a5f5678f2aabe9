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
}
