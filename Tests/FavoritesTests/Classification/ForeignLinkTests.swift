import Glibc
import Mirror
import Platform
import TestSupport
import Testing

@testable import Favorites

/// Links that lead out of the mirror: those that work are not changed.
@Suite(.timeLimit(.minutes(10))) struct ForeignLinkTests {
    let crab = FolderUnderTest.crab
    let crabPath = FolderUnderTest.crabPath

    /// A link into another mirror, or into this one by another path.
    @Test(arguments: [false, true])
    func aLinkThatWorksIsNeverReplaced(isRelative: Bool) async throws {
        try await withFolder { folder in
            let other = folder.path("../\(Layout.split(folder.root).name)-other")
            defer { removeTree(other) }
            precondition(unsafe mkdir(other, 0o755) == 0)
            var path = other
            for part in crabPath.split(separator: "/").dropLast() {
                path += "/\(part)"
                unsafe mkdir(path, 0o755)
            }
            let file = try FileDescriptor(opening: "\(other)/\(crabPath)", O_WRONLY | O_CREAT)
            try file.write([1], path: other)
            precondition(unsafe symlink(folder.root, "\(other)/by another name") == 0)
            let above = isRelative ? "../../\(Layout.split(other).name)" : other
            let targets = [
                "another": "\(above)/\(crabPath)",
                "by another name": "\(above)/by another name/\(crabPath)",
            ]
            for (name, target) in targets { folder.link(name, to: target) }

            try await folder.reconcile()

            for (name, target) in targets { #expect(folder.target(name) == target) }
            #expect(folder.record(crab) != nil)
        }
    }

    /// The kernel resolves the path differently than its text suggests.
    @Test func aLinkThatWorksThroughAnotherIsNotReplaced() async throws {
        try await withFolder { folder in
            folder.makeDirectory("elsewhere/deep/folder")
            folder.makeDirectory("elsewhere/deep/pictures/2026/2026-11")
            folder.write("elsewhere/deep/pictures/2026/2026-11/2026-11-20 X.jpg", [1])
            folder.link("way", to: "../elsewhere/deep/folder")
            let target = "way/../pictures/2026/2026-11/2026-11-20 X.jpg"
            folder.link("x", to: target)

            try await folder.reconcile()

            #expect(folder.target("x") == target)
        }
    }

    /// Only the latest paths are kept.
    @Test func aRootPathThatIsUsedAgainIsKept() async throws {
        try await withFolder { folder in
            let store = FavoriteStore(tree: folder.tree)
            for number in 0..<FavoriteStore.maximumRootPaths {
                try store.addRootPaths(["/path/\(number)"])
            }
            try store.addRootPaths(["/path/0"])
            try store.addRootPaths(["/u\u{308}", "/\u{FC}"])

            let recorded = try store.rootPaths()
            let paths = recorded.current + recorded.former

            #expect(paths.count == FavoriteStore.maximumRootPaths)
            #expect(
                paths.prefix(3).map { Array($0.utf8) }
                    == ["/u\u{308}", "/\u{FC}", "/path/0"].map { Array($0.utf8) })

            let many = (0...FavoriteStore.maximumRootPaths).map { "/other/\($0)" }
            try store.addRootPaths(many)
            #expect(try store.rootPaths().current == many)
            #expect(try store.rootPaths().former == [])
        }
    }
}
