import Glibc
import JSON
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    /// What a command cannot read for now, it reports: it concludes nothing from that.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: FaultShim.isPossible, "needs a C compiler"))
    struct LostReasonTests {
        // MARK: Which mirror

        /// Runs apod-mirror in `folder`, without a variable that names a mirror.
        private func run(
            _ words: String, in folder: String, _ site: Site, _ variables: [String: String]
        ) async throws -> Ending {
            let assignments = variables.map { "\($0)='\($1)'" }.joined(separator: " ")
            return try await site.command([
                "bash", "-c", "cd \"$1\" && \(assignments) exec \(Program.path) \(words)", "bash",
                folder,
            ])
        }

        /// A favorite would be added to the other one.
        @Test(.enabled(if: hasNoService), arguments: [EIO, ENFILE])
        func noOtherMirrorIsUsedWhileThatOfTheDirectoryCannotBeRead(code: Int32) async throws {
            try await withMirroredSite(days: 1) { site in
                let own = "\(site.home)/Pictures/APOD"
                _ = try await site.mirror(root: own)
                let before = try TreeImage(of: own).files
                let shim = try await FaultShim(for: site)

                let ending = try await run(
                    "favorites add latest", in: "\(site.root)/pictures", site,
                    shim.reads(of: "\(site.root)/.apod-mirror", code: code))

                #expect(ending.code == 1 && ending.sentences.count == 1, "\(ending)")
                #expect(ending.errors.contains(site.root), "\(ending)")
                #expect(ending.errors.contains("--root"), "\(ending)")
                #expect(try TreeImage(of: own).files == before)
            }
        }

        /// It opens the mirror, and ends with the error of that.
        @Test(.enabled(if: hasNoService)) func theMirrorOfTheUserCountsAsThereWhileItCannotBeRead()
            async throws
        {
            try await withSite(days: 1) { site in
                let own = "\(site.home)/Pictures/APOD"
                _ = try await site.mirror(root: own)
                let shim = try await FaultShim(for: site)

                let ending = try await run(
                    "run --once --upstream \(site.simulator.basicAddress) --min-free 0",
                    in: site.folder, site, shim.reads(of: "\(own)/.apod-mirror", code: EIO))

                #expect(ending.code != 0, "\(ending)")
                #expect(!ending.errors.contains("making a mirror"), "\(ending)")
                #expect(ending.errors.contains("\(own)/.apod-mirror"), "\(ending)")
            }
        }

        /// It may say that a daemon is about to create one.
        @Test(.enabled(if: hasNoService))
        func noMirrorIsCreatedWhileTheNoteOfTheDaemonCannotBeRead() async throws {
            try await withSite(days: 1) { site in
                site.simulator.inject(.hang, on: .any, times: nil)
                var arrivals = site.simulator.arrivals().makeAsyncIterator()
                let daemon = try site.start(["run"] + site.settings())
                _ = await arrivals.next()
                let shim = try await FaultShim(for: site)

                let ending = try await run(
                    "run --once --upstream \(site.simulator.basicAddress) --min-free 0",
                    in: site.folder, site,
                    shim.reads(of: "/.local/state/apod-mirror/service.json", code: EIO))

                #expect(ending.code == 1, "\(ending)")
                #expect(ending.errors.contains("service.json: Input/output error"), "\(ending)")
                #expect(try Directory(opening: site.home).folder("Pictures") == nil)
                daemon.signal(SIGTERM)
                _ = try await daemon.end()
                await site.simulator.releaseRequests()
            }
        }

        /// With the defaults, it would request what the settings forbid, and fill the disk up to another limit.
        @Test(arguments: ["verify --repair", "adopt --offline mine"])
        func noCommandWritesWithOtherSettingsWhileThoseOfTheMirrorCannotBeRead(
            words: String
        ) async throws {
            try await withMirroredSite(days: 1) { site in
                _ = try Directory(opening: site.folder).makeDirectory("mine")
                let before = try site.tree().treasure
                let shim = try await FaultShim(for: site)

                let ending = try await run(
                    "\(words) --root '\(site.root)'", in: site.folder, site,
                    shim.reads(of: "\(site.root)/\(Layout.service)", code: EIO))

                #expect(ending.code == 1 && ending.sentences.count == 1, "\(ending)")
                #expect(ending.errors.contains("\(Layout.service): Input/output"), "\(ending)")
                #expect(try site.tree().treasure == before)
            }
        }

        /// Which one of two pictures is NASA's is not known; the larger one is an edit.
        @Test(arguments: [true, false])
        func adoptImportsNoneOfTwoPicturesWhileWhatDecidesCannotBeRead(
            isRecord: Bool
        ) async throws {
            try await withMirroredSite(days: 1) { site in
                let picture = try site.picture(of: Site.today)
                let edit = "\(Layout.split(picture).folder)/\(Site.today) An Edit.jpg"
                let copied = try await site.shell(
                    "cd \"$APOD_MIRROR_ROOT\" && { cat '\(picture)'; echo larger; } > '\(edit)'")
                #expect(copied.code == 0, "\(copied)")
                let words = "adopt --offline '\(site.root)' --root '\(site.folder)/new'"
                let lost = isRecord ? Layout.recordPath(of: Site.today) : picture
                let shim = try await FaultShim(for: site)

                let ending = try await run(
                    words, in: site.folder, site,
                    shim.reads(of: "\(site.root)/\(lost)", code: EIO))

                #expect(ending.code != 0, "\(ending)")
                #expect(ending.output.contains("Input/output error"), "\(ending)")
                let names = try Directory(opening: "\(site.folder)/new")
                    .textNames(in: Layout.adopted)
                #expect(names == [], "\(ending)")
            }
        }

        // MARK: Doctor

        private func check(_ name: String, _ ending: Ending) throws -> (String?, String) {
            let check = try ending.json["checks"]?.elements.first { $0["name"]?.string == name }
            return (check?["result"]?.string, check?["message"]?.string ?? "")
        }

        private func doctor(
            _ site: Site, _ variables: [String: String] = [:]
        ) async throws -> Ending {
            try await site.start(
                ["doctor", "--offline", "--json", "--root", site.root], environment: variables
            ).end()
        }

        @Test func aMirrorThatCannotBeReadIsAProblem() async throws {
            try await withMirroredSite(days: 1) { site in
                let shim = try await FaultShim(for: site)

                let ending = try await doctor(
                    site, shim.reads(of: "\(site.root)/\(Layout.marker)", code: EIO))

                let (result, message) = try check("write", ending)
                #expect(ending.code == 1 && result == "problem", "\(ending)")
                #expect(message.contains(Layout.marker), "\(ending)")
            }
        }

        @Test(arguments: ["{", #"{"format": 99, "id": "x"}"#])
        func aMirrorThatNoCommandCanOpenIsAProblem(marker: String) async throws {
            try await withMirroredSite(days: 1) { site in
                try site.write(marker, to: "apod/\(Layout.marker)")

                let ending = try await doctor(site)

                let (result, message) = try check("write", ending)
                #expect(ending.code == 1 && result == "problem", "\(ending)")
                #expect(message.contains(site.root), "\(ending)")
            }
        }

        /// A success since the failure is in `state.json`.
        @Test func aFailureOfTheServiceIsNotCalledPresentWhileTheLastSuccessCannotBeRead()
            async throws
        {
            try await withMirroredSite(days: 1) { site in
                let socket = try NotifySocket("@\(site.folder)")
                let service = try await site.start(
                    ["run", "--jobs", "many"],
                    environment: [
                        "NOTIFY_SOCKET": socket.address, "APOD_MIRROR_ROOT": site.root,
                    ]
                ).end()
                #expect(service.code == 2, "\(service)")
                let shim = try await FaultShim(for: site)

                let ending = try await doctor(
                    site, shim.reads(of: "\(site.root)/\(Layout.state)", code: EIO))

                let (result, message) = try check("service", ending)
                #expect(result == "problem" && message.contains(Layout.state), "\(ending)")
            }
        }

        /// The note says whether the service runs, and why it failed.
        @Test func aNoteOfTheServiceThatCannotBeReadIsReported() async throws {
            try await withMirroredSite(days: 1) { site in
                let shim = try await FaultShim(for: site)
                let variables = shim.reads(
                    of: "/.local/state/apod-mirror/service.json", code: EIO)

                let doctor = try await doctor(site, variables)
                let status = try await site.start(
                    ["status", "--root", site.root], environment: variables
                ).end()

                let (result, message) = try check("service", doctor)
                #expect(result == "problem" && message.contains("service.json"), "\(doctor)")
                #expect(status.output.contains("service.json: Input/output error"), "\(status)")
            }
        }

        // MARK: Folders of views

        @Test func thumbnailsThatCannotBeListedAreNotSaidToBeMissing() async throws {
            try await withSite(days: 2) { site in
                #expect(try await site.mirror("--since", "2d", thumbnails: true).code == 0)
                let shim = try await FaultShim(for: site)
                let folder = "\(site.root)/\(Layout.folder(Layout.thumbnails, of: Site.today))"
                let unreadable = shim.reads(of: folder, code: EIO)

                let run = try await site.mirror(
                    "--since", "2d", thumbnails: true, environment: unreadable)
                let status = try await site.start(
                    ["status", "--root", site.root], environment: unreadable
                ).end()

                let reason = "\(folder): Input/output error"
                #expect(run.errors.contains("cannot make all thumbnails: open \(reason)"), "\(run)")
                #expect(!run.errors.contains("missing"), "\(run)")
                #expect(status.output.contains("unreadable  open \(reason)"), "\(status)")
                #expect(!status.output.contains("missing"), "\(status)")
            }
        }

        @Test func theNewestPictureIsShownThoughTheFavoritesCannotBeRead() async throws {
            try await withMirroredSite(days: 1) { site in
                let root = try Directory(opening: site.root)
                for name in [Layout.latestRecord, Layout.latestPicture, "feed.xml"] {
                    try root.remove(name)
                }
                let shim = try await FaultShim(for: site)
                let folder = "\(site.root)/\(Layout.favoriteStore)"

                let run = try await site.mirror(environment: shim.reads(of: folder, code: EIO))

                let message = "cannot update the views that show favorites: open \(folder): "
                #expect(run.errors.contains(message), "\(run)")
                for name in [Layout.latestRecord, Layout.latestPicture, "feed.xml"] {
                    #expect(try root.status(name) != nil, "\(name)")
                }
            }
        }

        // MARK: The support report

        @Test func theSupportReportSaysWhichFolderCannotBeCounted() async throws {
            try await withMirroredSite(days: 1) { site in
                let shim = try await FaultShim(for: site)
                let views = try await site.start(
                    ["status", "--report", "--root", site.root],
                    environment: shim.reads(of: "\(site.root)/\(Layout.views)", code: EIO)
                ).end()

                #expect(views.output.contains("views unreadable"), "\(views)")
            }
        }
    }
}
