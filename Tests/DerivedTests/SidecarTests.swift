import APOD
import Glibc
import JSON
import MediaFormat
import Mirror
import PictureSamples
import Platform
import Testing

@testable import Views

/// Runs `body` with an empty mirror whose pictures have sidecars.
nonisolated(nonsending) func withSidecars(
    _ body: nonisolated(nonsending) (MirrorOfDays) async throws -> Void
) async throws {
    try await withMirror { mirror in
        mirror.restartSidecars()
        try await body(mirror)
    }
}

extension MirrorOfDays {
    fileprivate func restartSidecars(isOn: Bool = true) {
        var settings = ViewSettings()
        settings.writesSidecars = isOn
        restart(settings, views: [SidecarsView.self])
    }

    /// Adds the newest day, and returns the path of its picture.
    @discardableResult
    fileprivate func addPicture(_ title: String = "A Chart") throws -> String {
        try add(Self.newest, Chart(96, 64).jpeg(), .jpeg, ["title": .string(title)])
    }

    /// Puts another file in place of that at `path`, as most programs save.
    fileprivate func replace(_ path: String, by text: String) throws {
        try store.publish(Array(text.utf8), at: path)
    }
}

/// Sidecars follow NASA and the favorites, until somebody else writes into them.
@Suite(.timeLimit(.minutes(10))) struct SidecarTests {
    private let day = MirrorOfDays.newest

    @Test func aPictureGetsASidecarAndIsNotChanged() async throws {
        try await withSidecars { mirror in
            let path = try mirror.addPicture()
            let before = try mirror.root.status(path)

            #expect(try await mirror.refresh().problems == [])

            let text = try #require(try mirror.text(path + ".xmp"))
            #expect(text.contains("A Chart"))
            for date in ["xmp:CreateDate", "photoshop:DateCreated"] {
                #expect(text.contains("<\(date)>2026-11-20T12:00:00Z</\(date)>"))
            }
            #expect(!text.contains("Rating") && !text.contains("WebStatement"))
            #expect(try mirror.root.status(path) == before)
        }
    }

    @Test func aVideoGetsASidecar() async throws {
        try await withSidecars { mirror in
            let (path, bytes) = (
                "pictures/2026/2026-11/2026-11-20 A Chart.mp4", [1, 2, 3] as [UInt8]
            )
            try mirror.write(bytes, to: path)
            try mirror.record(
                day,
                [
                    "media_type": "video",
                    "video": [
                        "url": "https://apod.nasa.gov/a.mp4", "path": .string(path),
                        "bytes": .integer(bytes.count),
                        "sha256": .string(SHA256.digits(64, of: bytes)),
                    ],
                ])

            #expect(try await mirror.refresh().problems == [])

            #expect(try mirror.text("\(path).xmp")?.contains("A Chart") == true)
        }
    }

    @Test func editsOfNASAAndTheStarsOfAFavoriteAreFollowed() async throws {
        try await withSidecars { mirror in
            let sidecar = try mirror.addPicture() + ".xmp"
            try await mirror.refresh()
            let plain = try mirror.text(sidecar)

            mirror.favorites = [day]
            try await mirror.refresh()
            let favorite = try #require(try mirror.text(sidecar))
            #expect(favorite.contains("<xmp:Rating>5</xmp:Rating>"))
            mirror.favorites = []
            mirror.restartSidecars()
            try await mirror.refresh()
            #expect(try mirror.text(sidecar) == plain && plain?.contains("Rating") == false)

            try mirror.addPicture("Another Chart")
            mirror.restartSidecars()
            try await mirror.refresh()
            let text = try #require(try mirror.text(sidecar))
            #expect(text.contains("Another Chart") && !text.contains(">A Chart<"))
        }
    }

    /// What a photo manager or a person writes has priority over text that can be downloaded again.
    @Test(arguments: ["before the first update", "later", "with the time and size of ours"])
    func aSidecarOfAnotherProgramIsNotChanged(_ time: String) async throws {
        try await withSidecars { mirror in
            let sidecar = try mirror.addPicture() + ".xmp"
            var text = "<mine/>"
            if time != "before the first update" {
                try await mirror.refresh()
                let ours = try mirror.text(sidecar) ?? ""
                text = ours.replacing("What is it?", with: "My comet!!!")
            }
            let modified = try mirror.root.status(sidecar)?.modified
            try mirror.replace(sidecar, by: text)
            if let modified, time == "with the time and size of ours" {
                try mirror.root.setModified(modified, of: sidecar)
            }

            try mirror.addPicture("Another Chart")
            mirror.favorites = [day]

            #expect(try await mirror.refresh().problems == [])
            #expect(try mirror.text(sidecar) == text)
        }
    }

    /// A power cut on a file system without a journal leaves such files.
    @Test(arguments: [0, 100]) func aSidecarThatWasCutShortIsWrittenAgain(length: Int) async throws
    {
        try await withSidecars { mirror in
            let sidecar = try mirror.addPicture() + ".xmp"
            try await mirror.refresh()
            let whole = try mirror.text(sidecar)
            _ = unsafe truncate("\(mirror.root.path)/\(sidecar)", length)

            #expect(try await mirror.refresh().problems == [])

            #expect(try mirror.text(sidecar) == whole)
        }
    }

    /// NASA replaced the picture by one of another type, or retention removed it.
    @Test(arguments: [false, true], [false, true])
    func theSidecarOfAPictureGoesWithItUnlessItWasEdited(
        isEdited: Bool, isReplaced: Bool
    ) async throws {
        try await withSidecars { mirror in
            let old = try mirror.addPicture()
            try await mirror.refresh()
            let edited = (try mirror.text(old + ".xmp") ?? "") + "\n"
            if isEdited { try mirror.replace(old + ".xmp", by: edited) }

            if isReplaced {
                let new = try mirror.add(day, Chart(96, 64).png(.truecolor), .png)
                try mirror.root.remove(old)
                try mirror.root.symlink(old, to: Layout.split(new).name)
                try await mirror.refresh()
                #expect(try mirror.text(new + ".xmp")?.contains("A Chart") == true)
            } else {
                try mirror.remove(old, of: day)
                try await mirror.refresh()
            }

            #expect(try mirror.text(old + ".xmp") == (isEdited ? edited : nil))
        }
    }

    /// Also those of pictures that are gone since.
    @Test func withoutTheSettingSidecarsThatNobodyChangedAreRemoved() async throws {
        try await withSidecars { mirror in
            let months = [day, day.advanced(by: -40), day.advanced(by: -41)]
            let sidecars = try months.map { try mirror.add($0, Chart(8, 8).jpeg()) + ".xmp" }
            mirror.favorites = [day]
            try await mirror.refresh()
            let edited = (try mirror.text(sidecars[1]) ?? "") + "\n"
            try mirror.replace(sidecars[1], by: edited)
            try mirror.root.remove(String(sidecars[2].dropLast(4)))

            mirror.restartSidecars(isOn: false)
            let outcome = try await mirror.refresh()

            #expect(outcome.problems == [] && outcome.changedPaths.count == 2)
            #expect(try sidecars.map { try mirror.text($0) } == [nil, edited, nil])
            #expect(try mirror.root.folder("\(Layout.views)/sidecars.d")?.names().isEmpty == true)
            mirror.restartSidecars()
            try await mirror.refresh()
            #expect(try mirror.text(sidecars[0])?.contains("Rating") == true)
            #expect(try mirror.text(sidecars[1]) == edited)
        }
    }

    @Test func aMirrorThatNeverHadSidecarsGetsNoTableOfThem() async throws {
        try await withSidecars { mirror in
            mirror.restartSidecars(isOn: false)
            try mirror.addPicture()

            try await mirror.refresh()

            #expect(try mirror.root.folder(Layout.views)?.textNames() ?? [] == [])
        }
    }

    @Test func aRefreshWithoutChangesWritesNothing() async throws {
        try await withSidecars { mirror in
            let days = (0..<40).map { day.advanced(by: -$0) }
            let paths = try days.map { try mirror.add($0, Chart(8, 8).jpeg()) + ".xmp" }
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
                if isRestarted { mirror.restartSidecars() }
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
            let sidecar = try mirror.addPicture() + ".xmp"
            func refresh() async throws {
                try await mirror.refresh(by: afterRoundsOfOneWalk ? snapshots.current() : nil)
            }
            for _ in 0..<2 { try await refresh() }
            try mirror.root.remove(sidecar)
            snapshots.invalidate()

            try await refresh()

            #expect(try mirror.text(sidecar) != nil)
        }
    }
}
