import APOD
import FavoritesModel
import FoundationEssentials
import Glibc
import Mirror
import Platform
import TestSupport
import Testing

@testable import Favorites

/// The mirror rewrites only links whose text leads into it and that do not work, whatever the process can see of the rest
/// of the machine.
@Suite(.timeLimit(.minutes(10))) struct ForeignLinkTests {
    let crab = FolderUnderTest.crab
    let crabPath = FolderUnderTest.crabPath

    /// A link into another mirror, or into this one by another path.
    @Test(arguments: [false, true])
    func aLinkThatWorksIsNeverReplaced(isRelative: Bool) async throws {
        try await withFolder { folder in
            let name = "\(Layout.split(folder.root).name)-other"
            let other = RealDisk(root: folder.path("../\(name)"), pictures: [:])
            defer { removeTree(other.root) }
            precondition(unsafe mkdir(other.root, 0o755) == 0)
            other.write([1], to: crabPath)
            other.symlink(folder.root, at: "by another name")
            let above = isRelative ? "../../\(name)" : other.root
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

    /// As after a move of the mirror that left a link at its old path: a file manager writes the path by which a person came.
    @Test func aPathThroughALinkToTheMirrorLeadsIntoTheMirror() async throws {
        try await withFolder { folder in
            let old = "\(folder.root)-old"
            precondition(unsafe symlink(folder.root, old) == 0)
            defer { removeTree(old) }
            folder.write("favorites/set/mine", FolderUnderTest.picture("comet!"))
            folder.link("today", to: "\(old)/latest.jpg")
            folder.link("again", to: "\(old)/favorites/set/mine")

            let outcome = try await folder.reconcile()

            #expect(outcome.unrecognized.isEmpty)
            #expect(folder.record(crab)?.names.map(\.text) == ["today"])
            #expect(folder.target("today") == "../\(crabPath)")
            #expect(
                folder.record(FolderUnderTest.comet)?.names.map(\.text) == ["again", "set/mine"])
            for path in ["\(old)/latest.jpg", "file://\(old)/latest.jpg"] {
                #expect(try folder.commands.add(path).text == "today")
            }
        }
    }

    /// It keeps no favorite that is removed, however long its text is.
    @Test(arguments: [
        "/nonexistent/favorites/x", "/\(String(repeating: "x", count: 300))/latest.jpg",
        "/etc/favorites/\(String(repeating: "x", count: 300))", "/etc/passwd/latest.jpg",
    ])
    func aLinkToAnotherLatestPictureNamesNoDay(target: String) async throws {
        try await withFavorite { folder in
            folder.link("other", to: target)
            folder.remove("favorites/x")
            let outcome = try await folder.reconcile()
            #expect(outcome.unrecognized.first?.reason.hasPrefix("leads out") == true)
            folder.advance(seconds: 61)

            #expect(try await folder.reconcile().favorites.isEmpty)
            #expect(folder.target("other") == target)
        }
    }

    /// A link to a photo that this process cannot see: behind a mount of the service, in another container, on a
    /// disk that is unplugged.
    @Test(arguments: [
        "/nonexistent/ada/Photos/2026/2026-11/2026-11-20_123456.jpg",
        "/nonexistent/apod/\(FolderUnderTest.crabPath)",
        "/nonexistent/2026-11-20 The Crab Nebula.jpg",
        "../../nonexistent/2026/2026-11/2026-11-20_123456.jpg",
        "../../pictures/2026/2026-11/2026-11-20_123456.jpg",
    ])
    func aLinkOutOfTheMirrorIsNeverChanged(target: String) async throws {
        try await withFolder { folder in
            folder.link("holiday.jpg", to: target)

            let outcome = try await folder.reconcile()

            #expect(folder.target("holiday.jpg") == target)
            #expect(outcome.favorites[crab]?.names.map(\.text) == ["holiday.jpg"])
        }
    }

    @Test(
        arguments: [
            Array("new\nline".utf8), [0xFF, 0xFE, 0x80], [UInt8](repeating: 0x78, count: 255),
            Array("-rf".utf8), Array("👩‍🚀".utf8), Array("\u{e9}".utf8), Array("e\u{301}".utf8),
        ] as [[UInt8]])
    func anyFileNameIsAccepted(name: [UInt8]) async throws {
        try await withFolder { folder in
            try folder.link(bytes: name, to: "/mnt/nas/\(crabPath)")
            try await folder.reconcile()
            folder.remove("favorites")
            folder.restart()
            try await folder.reconcile()

            let target = try folder.tree.root.folder("favorites")?.targetBytes(of: name)
            #expect(target == Array("../\(crabPath)".utf8))
            #expect(folder.record(crab)?.names.map(\.bytes) == [name])
        }
    }

    @Test func aFutureDayIsNotRequested() async throws {
        try await withFolder { folder in
            let today = Int(folder.now().timeIntervalSince1970) / 86_400
            for number in [today + 1, today + 2, today + 300] {
                let day = try #require(Day(number: number))
                folder.link(
                    "\(day)", to: "../pictures/\("\(day)".prefix(4))/\("\(day)".prefix(7))/\(day)")
            }

            let outcome = try await folder.reconcile()

            #expect(outcome.favorites.count == 3)
            #expect(outcome.wanted.map(\.number) == [today + 1])
        }
    }
}
