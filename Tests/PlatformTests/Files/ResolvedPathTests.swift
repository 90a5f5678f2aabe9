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

    @Test(arguments: [
        ("no/../new", "new"), ("no/./new/", "no/new"), ("no//new", "no/new"), ("no/deep/../..", ""),
        ("no/..//../../..", nil),
    ])
    func aPathThatDoesNotExistHasNoDots(path: String, rest: String?) throws {
        let here = "/proc/sys/kernel"
        let expected = rest.map { $0.isEmpty ? here : "\(here)/\($0)" } ?? "/"
        #expect(resolvedPath("\(here)/\(path)") == expected)
    }
}
