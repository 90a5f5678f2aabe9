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
}
