import Glibc
import JSON
import Mirror
import Platform
import ProgramTesting
import Simulator
import Testing

extension WholeProgram {
    /// A USB disk that is mounted for another user, and shares that lack what the disks of Linux have.
    @Suite(
        .timeLimit(.minutes(10)), .enabled(if: FaultShim.isPossible, "needs a C compiler"))
    struct LimitedDiskTests {
        enum Disk: CaseIterable {
            /// No time, mode or attribute can be set.
            case foreign
            /// There are no exclusive renames, hard links and syncs of directories.
            case plain
            /// Both with other errors, and no syncs of files.
            case leastOfAll
            /// As on eCryptfs.
            case shortNames

            func variables(_ shim: FaultShim) -> [String: String] {
                switch self {
                case .foreign: shim.foreign()
                case .plain: shim.plain()
                case .leastOfAll:
                    shim.foreign(EIO).merging(shim.plain(EPERM)) { $1 }
                        .merging(shim.unflushed) { $1 }
                case .shortNames: shim.names(upTo: 143)
                }
            }

            /// What is said of the check `publishing`.
            var notes: [String] {
                switch self {
                case .foreign: ["modification times"]
                case .plain: ["hard links"]
                case .leastOfAll: ["modification times", "hard links"]
                case .shortNames: []
                }
            }
        }

        @Test(arguments: Disk.allCases) func everythingIsPublishedOnce(on disk: Disk) async throws {
            try await withSite(days: 3) { site in
                // Then latest.jpg is a file, whose time says what it shows.
                try site.simulator.edit(Site.today) {
                    $0.media = .drawn("b.png", seed: 7, width: 64, height: 40, format: .png)
                }
                try site.simulator.edit(Site.day(1)) {
                    $0.title = String(repeating: "天の川", count: 30)
                    $0.media = .iframe(
                        src: "https://player.example.org/1",
                        poster: .drawn("p.jpg", seed: 3, width: 64, height: 40))
                }
                let shim = try await FaultShim(for: site)
                // The second one settles the tables of what the first one wrote.
                for _ in 0..<2 { try await sync(site, disk.variables(shim)) }
                let before = try statuses(site)
                try expectAll(in: before, site)
                #expect(try await site.read("verify").code == 0)
                site.simulator.resetLog()

                try await sync(site, disk.variables(shim))

                #expect(site.simulator.requests.allSatisfy { $0.kind != .media })
                #expect(changes(from: before, to: try statuses(site)) == [])
            }
        }

        /// Their times show whether they are current, which a disk that sets none does not have.
        @Test func thumbnailsAreNotReadAtEachUpdate() async throws {
            try await withSite(days: 3) { site in
                let shim = try await FaultShim(for: site)
                for _ in 0..<2 { try await sync(site, shim.foreign()) }

                let reads = shim.reads(of: "\(Layout.thumbnails)/", code: 0, from: -1)
                try await sync(site, reads.merging(shim.foreign()) { $1 })

                let opened = shim.calls.filter {
                    $0.hasPrefix("openat2") && $0.hasSuffix(".jpg")
                }
                #expect(opened == [])
            }
        }

        /// One that is older than its picture, as after a repair, is examined once.
        @Test func aCurrentThumbnailGetsTheTimeAtWhichItWasExamined() async throws {
            try await withSite(days: 3) { site in
                let shim = try await FaultShim(for: site)
                for _ in 0..<2 { try await sync(site, shim.foreign()) }
                let root = try Directory(opening: site.root)
                let thumbnail = Layout.thumbnail(of: Site.today)
                try root.setModified(1_000_000_000, of: thumbnail)

                try await sync(site, shim.foreign())

                let time = try #require(try root.status(thumbnail)).modified
                let picture = try #require(try root.status(site.picture(of: Site.today)))
                #expect(time >= picture.modified)
            }
        }

        @Test(arguments: Disk.allCases) func anEditKeepsTheFormerPictureAndFavoritesTheirs(
            on disk: Disk
        ) async throws {
            try await withSite(days: 3) { site in
                let shim = try await FaultShim(for: site)
                try await sync(site, disk.variables(shim))
                let root = try Directory(opening: site.root)
                let (path, day) = (try site.picture(of: Site.today), Site.today)
                let former = try root.read(path)
                try root.symlink("\(Layout.favorites)/mine.jpg", to: "../\(path)")
                try await sync(site, disk.variables(shim))
                let pins = try site.tree().files
                    .filter { $0.key.hasPrefix("\(Layout.own)/favorites/\(day).") }.values
                #expect(pins.contains { $0 == former })
                try site.simulator.edit(day) {
                    $0.media = .drawn("b.jpg", seed: 7, width: 64, height: 40, format: .jpeg)
                }

                try await sync(site, disk.variables(shim))

                let now = try root.read(site.picture(of: day))
                #expect(now != nil && now != former)
                let previous = try site.tree().files
                    .filter { $0.key.hasPrefix("\(Layout.previous)/") }.values
                #expect(previous.contains { $0 == former })
                #expect(try site.tree().favorites == [day])
            }
        }

        @Test(arguments: Disk.allCases) func doctorSaysWhatTheDiskLacks(on disk: Disk) async throws
        {
            try await withMirroredSite { site in
                let shim = try await FaultShim(for: site)
                let words = ["doctor", "--offline", "--json", "--root", site.root]

                let ending = try await site.start(words, environment: disk.variables(shim)).end()

                let checks = try ending.json["checks"]?.elements ?? []
                func check(_ name: String) -> JSON? { checks.first { $0["name"]?.string == name } }
                let publishing = check("publishing")
                #expect(publishing?["result"]?.string == (disk.notes.isEmpty ? "ok" : "note"))
                let message = publishing?["message"]?.string ?? ""
                for part in disk.notes { #expect(message.contains(part), "\(message)") }
                // A power cut may then leave half of a file.
                let isFlushed = disk != .leastOfAll
                #expect((check("fsync")?["result"]?.string == "problem") == !isFlushed, "\(ending)")
                #expect(ending.code == (isFlushed ? 0 : 1), "\(ending)")
                let incoming = try Directory(opening: "\(site.root)/\(Layout.incoming)")
                #expect(try incoming.textNames() == [])
            }
        }

        /// Two folders on different branches of mergerfs, whose default policy renames nothing from one to the other.
        @Test(arguments: [Layout.pictures, Layout.metadata])
        func aFolderIntoWhichNothingCanBeRenamedIsNamedBySyncAndDoctor(top: String) async throws {
            try await withSite(days: 3) { site in
                let shim = try await FaultShim(for: site)
                let environment = shim.branch("\(site.root)/\(top)")
                let first = try await site.mirror("--since", "3d", environment: environment)
                let second = try await site.mirror("--since", "3d", environment: environment)
                let doctor = try await site.start(
                    ["doctor", "--offline", "--root", site.root], environment: environment
                ).end()

                for ending in [first, second] {
                    #expect(ending.code == 4, "\(ending)")
                    #expect(ending.errors.contains("ignorepponrename=true"), "\(ending)")
                    #expect(!ending.errors.contains("is mounted there"), "\(ending)")
                }
                #expect(doctor.code == 1, "\(doctor)")
                #expect(doctor.output.contains("ignorepponrename=true"), "\(doctor)")
                let later = try await site.mirror("--since", "3d")
                #expect(later.code == 0, "\(later)")
                #expect(try site.tree().complete.count == 3)
                let tree = try site.tree()
                let left = tree.files.keys.filter { $0.contains("/.apod-mirror ") }
                #expect(left == [] && tree.incoming == [])
            }
        }

        private func sync(_ site: Site, _ environment: [String: String]) async throws {
            let ending = try await site.mirror(
                "--since", "3d", "--wallpaper-size", "32x20", "--sidecars", thumbnails: true,
                environment: environment)
            #expect(ending.code == 0, "\(ending)")
        }

        private func expectAll(in files: [String: FileStatus], _ site: Site) throws {
            let picture = try site.picture(of: Site.today)
            for path in [
                Layout.latestPicture, Layout.latestRecord, "index.html", "feed.xml",
                Layout.thumbnail(of: Site.today), picture,
            ] {
                #expect(files[path] != nil, "\(path)")
            }
            for folder in ["gallery/", "wallpapers/"] {
                #expect(files.keys.contains { $0.hasPrefix(folder) }, "\(folder)")
            }
            #expect(files.keys.contains { $0.hasSuffix(".xmp") })
            // Its temporary name is longer than its name.
            #expect(
                files.keys.contains { $0.hasPrefix("\(Layout.pictures)/") && $0.hasSuffix(".html") }
            )
        }

        private func changes(
            from before: [String: FileStatus], to after: [String: FileStatus]
        ) -> [String] {
            Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
        }

        /// The status of every file and link, but of what every sync writes.
        private func statuses(_ site: Site) throws -> [String: FileStatus] {
            let root = try Directory(opening: site.root)
            var statuses: [String: FileStatus] = [:]
            var folders = [""]
            while let folder = folders.popLast() {
                for name in try root.textNames(in: folder.isEmpty ? "." : folder) {
                    let path = folder.isEmpty ? name : "\(folder)/\(name)"
                    guard let status = try root.status(path) else { continue }
                    if status.kind == .directory {
                        folders.append(path)
                    } else {
                        statuses[path] = status
                    }
                }
            }
            let own = Layout.own + "/"
            return statuses.filter { path, _ in
                !path.hasPrefix(own) || path.hasPrefix(Layout.views)
                    || path.hasPrefix(Layout.thumbnails)
            }
        }
    }
}
