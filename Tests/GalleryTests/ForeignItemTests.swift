import APOD
import Glibc
import JSON
import Mirror
import Platform
import Testing
import Views

/// The gallery with foreign items in place of its files.
@Suite(.timeLimit(.minutes(10))) struct ForeignItemTests {
    static let files = [
        "index.html", "gallery/2026.html", "gallery/2026-11.html", "gallery/days/2026.js",
        "gallery/links/2026.txt", "gallery/favorites.html", "gallery/search.html",
        "gallery/assets/style.css", "gallery/assets/icon.svg",
    ]

    /// As a power cut leaves it.
    @Test(arguments: files, [nil, 0, 9, 600])
    func aPageThatIsNotWholeIsMadeAgain(_ file: String, length: Int?) async throws {
        try await withMirror { mirror in
            try mirror.add(day("2026-11-20"), "The Crab")
            try await mirror.refresh()
            let whole = try #require(try mirror.text(file))
            try mirror.tree.root.remove(file)
            if let length {
                // Some are shorter, and lack their last byte.
                let kept = min(length, whole.utf8.count - 1)
                try mirror.write(Array(whole.utf8.prefix(kept)), to: file)
            }
            let outcome = try await mirror.update()

            #expect(outcome.problems == [] && outcome.changedPaths == [file])
            #expect(try mirror.text(file) == whole)
        }
    }

    @Test func aLinkInPlaceOfTheDirectoryIsReportedAndNotFollowed() async throws {
        try await withMirror { mirror in
            try mirror.add(day("2026-11-20"), "The Crab")
            let other = "\(mirror.root)/../other"
            try #require(unsafe mkdir(other, 0o755) == 0)
            try mirror.tree.root.symlink("gallery", to: "../other")
            try mirror.write(Array("mine".utf8), to: "index.html")

            let problems = try await mirror.problems()

            #expect(
                Set(problems) == [
                    mirror.obstruction(by: "gallery"), mirror.obstruction(by: "index.html"),
                ])
            #expect(problems.count == 2)
            #expect(try Directory(opening: other).names().isEmpty)

            try mirror.tree.root.remove("gallery")
            try await mirror.refresh()
            #expect(try mirror.text("gallery/2026.html") != nil)
            #expect(try mirror.text("index.html") == "mine")
        }
    }
}

extension SampleMirror {
    /// The sentence that the file of a user is in the way.
    fileprivate func obstruction(by path: String) -> String {
        ViewFiles.obstruction(by: path, in: tree.root)
    }
}
