import APOD
import Glibc
import Mirror
import PictureSamples
import Platform
import Testing
import Views

/// The text in an empty `favorites/`.
@Suite(.timeLimit(.minutes(10))) struct HintTests {
    private let day = MirrorOfDays.newest
    private let path = "favorites/\(Layout.favoritesHint)"

    private func withFolder(
        _ body: nonisolated(nonsending) (MirrorOfDays, Directory) async throws -> Void
    ) async throws {
        try await withMirror { mirror in
            try mirror.add(day, Chart(96, 64).jpeg())
            try await body(mirror, mirror.root.makeDirectory("favorites"))
        }
    }

    @Test func anEmptyDirectoryGetsTheHintOnce() async throws {
        try await withFolder { mirror, _ in
            try await mirror.refresh()
            let first = try mirror.root.status(path)
            try await mirror.refresh()
            #expect(try mirror.text(path)?.contains("favorite") == true)
            #expect(try mirror.root.status(path) == first)

            try mirror.root.remove(path)
            try await mirror.refresh(ViewSettings())
            #expect(try mirror.root.status(path) == nil)
        }
    }

    @Test(arguments: [
        "a favorite", "a link that is not recorded yet", "a link that was there before the hint",
    ])
    func theFirstItemRemovesTheHintPermanently(item: String) async throws {
        try await withFolder { mirror, folder in
            if !item.hasSuffix("before the hint") { try await mirror.refresh() }
            if item == "a favorite" { mirror.favorites = [day] }
            try folder.symlink("mine", to: "../pictures")
            try await mirror.refresh()
            #expect(try mirror.root.status(path) == nil)
            guard !item.hasSuffix("before the hint") else { return }

            try folder.remove("mine")
            mirror.favorites = []
            try await mirror.refresh()
            #expect(try mirror.root.status(path) == nil)
        }
    }

    /// In place of the hint, or in a mirror that had none, as after a restore without `.apod-mirror/`.
    @Test(arguments: [true, false])
    func aTextOfTheUserIsNotChanged(isInPlaceOfTheHint: Bool) async throws {
        try await withFolder { mirror, _ in
            if isInPlaceOfTheHint { try await mirror.refresh() }
            try mirror.write(Array("mine".utf8), to: path)
            if isInPlaceOfTheHint { mirror.favorites = [day] }
            try await mirror.refresh()

            #expect(try mirror.text(path) == "mine")
        }
    }

    @Test(arguments: ["a link", "a file", "nothing"])
    func aMissingDirectoryIsNotCreated(thing: String) async throws {
        try await withMirror { mirror in
            try mirror.add(day, Chart(96, 64).jpeg())
            if thing == "a link" { try mirror.root.symlink("favorites", to: "pictures") }
            if thing == "a file" { try mirror.write([], to: "favorites") }
            let before = try mirror.root.status("favorites")

            try await mirror.refresh()

            #expect(try mirror.root.status("favorites") == before)
            #expect(try mirror.root.status("pictures/\(Layout.favoritesHint)") == nil)
            #expect(try mirror.text("latest.json") != nil)
        }
    }
}
