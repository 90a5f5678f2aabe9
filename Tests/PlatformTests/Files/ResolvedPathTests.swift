import Platform
import Testing

@Suite struct ResolvedPathTests {
    @Test(arguments: [
        ("/a", "/a", true), ("/a/b", "/a", true), ("/a", "/", true), ("/", "/", true),
        ("/ab", "/a", false), ("/a", "/a/b", false), ("/", "/a", false),
    ])
    func aPathIsInItsFolders(path: String, folder: String, isInside: Bool) {
        #expect(path.isPath(in: folder) == isInside)
    }
}
