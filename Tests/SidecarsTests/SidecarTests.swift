import APOD
import Glibc
import JSON
import MediaFormat
import Mirror
import Platform
import Testing

/// Sidecars follow NASA and the favorites, until somebody else writes into them.
@Suite(.timeLimit(.minutes(10))) struct SidecarTests {
    private let day = MirrorOfSidecars.day

    @Test func aPictureGetsASidecarAndIsNotChanged() async throws {
        try await withSidecars { mirror in
            let path = try mirror.add()
            let before = try mirror.root.status(path)

            let problems = try await mirror.refresh()

            let text = try #require(try mirror.text(path + ".xmp"))
            #expect(problems == [])
            #expect(text.contains("A Chart") && text.contains("2026-11-20T12:00:00Z"))
            #expect(!text.contains("Rating") && !text.contains("WebStatement"))
            #expect(try mirror.text(path) == "a picture" && mirror.root.status(path) == before)
        }
    }

    @Test func onlyAFavoriteHasFiveStars() async throws {
        try await withSidecars { mirror in
            let sidecar = try mirror.add() + ".xmp"
            try await mirror.refresh()
            let plain = try mirror.text(sidecar)

            mirror.favorites = [day]
            try await mirror.refresh()
            let favorite = try #require(try mirror.text(sidecar))
            mirror.favorites = []
            mirror.restart()
            try await mirror.refresh()

            #expect(favorite.contains("<xmp:Rating>5</xmp:Rating>"))
            #expect(try mirror.text(sidecar) == plain && plain?.contains("Rating") == false)
        }
    }

    @Test func anEditByNASAIsFollowed() async throws {
        try await withSidecars { mirror in
            let sidecar = try mirror.add() + ".xmp"
            try await mirror.refresh()

            try mirror.add(title: "Another Chart")
            mirror.restart()
            try await mirror.refresh()

            let text = try #require(try mirror.text(sidecar))
            #expect(text.contains("Another Chart") && !text.contains(">A Chart<"))
        }
    }

    /// What a photo manager or a person writes has priority over text that can be downloaded again.
    @Test(arguments: ["before the first update", "later", "with the time and size of ours"])
    func aSidecarOfAnotherProgramIsNotChanged(_ time: String) async throws {
        try await withSidecars { mirror in
            let sidecar = try mirror.add() + ".xmp"
            var bytes = Array("<mine/>".utf8)
            if time != "before the first update" {
                try await mirror.refresh()
                let ours = try mirror.text(sidecar) ?? ""
                bytes = Array(ours.replacing("What is it?", with: "My comet!!!").utf8)
            }
            let modified = try mirror.root.status(sidecar)?.modified
            try mirror.write(bytes, to: sidecar)
            if let modified, time == "with the time and size of ours" {
                try mirror.root.setModified(modified, of: sidecar)
            }

            try mirror.add(title: "Another Chart")
            mirror.favorites = [day]
            let problems = try await mirror.refresh()

            #expect(problems == [])
            #expect(try mirror.root.read(sidecar) == bytes)
        }
    }

    @Test(arguments: ["a link", "a directory", "a fifo"])
    func anItemThatIsNotAFileIsNotChanged(thing: String) async throws {
        try await withSidecars { mirror in
            let picture = try mirror.add()
            let sidecar = picture + ".xmp"
            let path = mirror.absolute(sidecar)
            switch thing {
            case "a link": _ = unsafe symlink(mirror.absolute(picture), path)
            case "a directory": _ = unsafe mkdir(path, 0o755)
            default: _ = unsafe mkfifo(path, 0o600)
            }
            let before = try mirror.root.status(sidecar)

            try await mirror.refresh()

            #expect(try mirror.root.status(sidecar) == before)
            #expect(try mirror.text(picture) == "a picture")
        }
    }

    /// A power cut on a file system without a journal leaves such files.
    @Test(arguments: [0, 100]) func aSidecarThatWasCutShortIsWrittenAgain(length: Int) async throws
    {
        try await withSidecars { mirror in
            let sidecar = try mirror.add() + ".xmp"
            try await mirror.refresh()
            let whole = try mirror.text(sidecar)
            _ = unsafe truncate(mirror.absolute(sidecar), length)

            #expect(try await mirror.refresh() == [])

            #expect(try mirror.text(sidecar) == whole)
        }
    }

    @Test(arguments: [false, true])
    func theSidecarOfAPictureOfAnotherTypeGoesUnlessItWasEdited(isEdited: Bool) async throws {
        try await withSidecars { mirror in
            let old = try mirror.add()
            try await mirror.refresh()
            if isEdited { try mirror.write(Array("<mine/>".utf8), to: old + ".xmp") }

            let new = try mirror.add(type: .png)
            try mirror.root.remove(old)
            try mirror.root.symlink(old, to: Layout.split(new).name)
            try await mirror.refresh()

            #expect(try mirror.text(old + ".xmp") == (isEdited ? "<mine/>" : nil))
            #expect(try mirror.text(new + ".xmp")?.contains("A Chart") == true)
        }
    }

    @Test(arguments: [false, true])
    func aSidecarOfARemovedPictureIsRemovedUnlessAUserChangedIt(isChanged: Bool) async throws {
        try await withSidecars { mirror in
            let path = try mirror.add()
            try await mirror.refresh()
            let own = try #require(try mirror.root.read(path + ".xmp"))
            let changed = own + Array("\n".utf8)
            if isChanged { try mirror.write(changed, to: path + ".xmp") }

            var picture = try #require(try mirror.store.record(of: day)?.json["picture"]?.members)
            picture.append(.init(key: "removed", value: "2026-11-21T00:00:00Z"))
            try mirror.add(day, ["picture": .object(picture)])
            try await mirror.refresh()

            #expect(try mirror.root.read(path + ".xmp") == (isChanged ? changed : nil))
        }
    }

    @Test func aRefreshWithoutChangesWritesNothing() async throws {
        try await withSidecars { mirror in
            let days = (0..<40).map { day.advanced(by: -$0) }
            let paths = try days.map { try mirror.add($0) + ".xmp" }
            mirror.favorites = [day]
            try await mirror.refresh()
            let written = try paths.map { try mirror.root.status($0) }
            try await mirror.refresh()
            func states() throws -> [FileStatus?] {
                let folder = try mirror.root.folder(Layout.views)
                return try folder?.textNames().sorted().map { try folder?.status($0) } ?? []
            }
            let state = try states()

            for isRestarted in [false, true] {
                if isRestarted { mirror.restart() }
                try await mirror.refresh()
                #expect(try paths.map { try mirror.root.status($0) } == written)
                #expect(try states() == state)
            }
            #expect(written.allSatisfy { $0 != nil } && state.count == 2)
        }
    }

    @Test(arguments: [false, true])
    func aRemovedSidecarIsRecreated(afterRoundsOfOneWalk: Bool) async throws {
        try await withSidecars { mirror in
            let snapshots = mirror.store.snapshots
            let sidecar = try mirror.add() + ".xmp"
            for _ in 0..<2 {
                try await mirror.refresh(afterRoundsOfOneWalk ? snapshots.current() : nil)
            }
            try mirror.root.remove(sidecar)
            snapshots.invalidate()

            try await mirror.refresh(afterRoundsOfOneWalk ? snapshots.current() : nil)

            #expect(try mirror.text(sidecar) != nil)
        }
    }
}
