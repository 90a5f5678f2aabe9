import APOD
import Glibc
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    /// The recipes for programs of Debian, read from the documents, with those programs that are installed.
    ///
    /// `FiguresTests`, `NotificationTests`, `RecipeTests`, `ScreenTests` and `WebServerTests` have others.
    @Suite(.timeLimit(.minutes(10))) struct OtherProgramTests {
        private static func has(_ programs: String...) -> Bool {
            programs.allSatisfy { unsafe system("command -v \($0) >/dev/null 2>&1") == 0 }
        }

        /// Runs `commands` for the mirror of `site` in place of that of the service, with a sudo(8) that changes no user
        /// and a systemctl(1) that does nothing.
        private func run(
            _ commands: String, _ site: Site, environment: [String: String] = [:]
        ) async throws -> Ending {
            try site.makeTool("sudo", "exec \"$@\"")
            try site.makeTool("systemctl", "")
            try site.makeTool("apod-mirror", "exec '\(Program.path)' \"$@\"")
            let standard = ["PATH": "\(site.tools):/usr/sbin:/usr/bin:/bin", "HOME": site.home]
            return try await Program(
                ["sh", "-euc", commands.replacing("/var/lib/apod-mirror", with: site.root)],
                environment: standard.merging(environment) { $1 }
            ).end()
        }

        /// The answer of a web server at `port`, which may not listen yet.
        private func answer(
            at port: Int, _ path: String, _ options: String...
        ) async throws
            -> String
        {
            let words = ["curl", "-q", "-sS", "--retry", "99", "--retry-connrefused"]
            return try await Program.run(words + options + ["http://127.0.0.1:\(port)\(path)"])
                .output
        }

        @Test(.enabled(if: has("rsync"), "needs rsync"))
        func aBackupByRsyncIsRestoredAsItWas() async throws {
            let document = try Document("docs/maintenance.md")
            let backup = "NAME@backup-server:/srv/backup"
            let blocks = try ["apod-mirror/ \(backup)/", "\(backup)/apod/ "].map(document.block)
            try await withMirroredSite { site in
                _ = try await site.read("favorites", "add", "\(Site.day(1))")
                let (before, hardLinks) = (try site.tree(), "find $APOD_MIRROR_ROOT -links +1")
                let linked = try await site.shell(hardLinks).output

                for block in blocks {
                    let user = "\(getuid()):\(getgid())"
                    let commands = block.replacing("\(backup)/", with: "\(site.folder)/")
                        .replacing("\(site.folder)/apod/", with: "\(site.folder)/backup/")
                        .replacing("apod-mirror:apod-mirror", with: user)
                        .replacing("apod-favorites", with: "\(getgid())")
                    let ending = try await run(commands, site)
                    #expect(ending.code == 0, "\(ending)")
                    if block == blocks[0] { _ = try await site.shell("rm -r $APOD_MIRROR_ROOT") }
                }

                #expect(try site.tree() == before)
                #expect(linked != "")
                #expect(try await site.shell(hardLinks).output == linked)
                #expect(try await site.read("verify").code == 0)
            }
        }

        /// As the service has it, Syncthing could make neither its marker nor the file of what it ignores.
        @Test(.enabled(if: has("syncthing", "curl"), "needs syncthing and curl"))
        func syncthingSharesAMirrorWithoutItsFavorites() async throws {
            let block = try Document("docs/integrations.md").block(with: ".stignore")
            try await withMirroredSite { site in
                _ = try await site.read("favorites", "add", "\(Site.day(1))")
                let before = try site.tree().files
                #expect(try await run(block, site).code == 0)
                let port = try freePort()
                try site.write(
                    """
                    <configuration version="36">
                    <folder id="apod" path="\(site.root)" type="sendonly"/>
                    <gui><address>127.0.0.1:\(port)</address><apikey>key</apikey></gui>
                    <options>
                    <listenAddress>tcp://127.0.0.1:0</listenAddress>
                    <globalAnnounceEnabled>false</globalAnnounceEnabled>
                    <localAnnounceEnabled>false</localAnnounceEnabled>
                    <relaysEnabled>false</relaysEnabled><natEnabled>false</natEnabled>
                    <urAccepted>-1</urAccepted><crashReportingEnabled>false</crashReportingEnabled>
                    <autoUpgradeIntervalH>0</autoUpgradeIntervalH>
                    </options></configuration>
                    """, to: "syncthing/config.xml")
                let process = try Program(
                    [
                        "syncthing", "serve", "--home=\(site.folder)/syncthing", "--no-browser",
                        "--no-restart",
                    ], environment: ["HOME": site.home])
                func ask(_ question: String) async throws -> String {
                    try await answer(
                        at: port, "/rest/db/\(question)folder=apod", "-H", "X-API-Key: key")
                }

                _ = try await polled {
                    let status = try await ask("status?")
                    return status.contains("\"idle\"") && !status.contains("\"localFiles\": 0,")
                        || status.contains("\"error\"") ? true : nil
                }
                let names = try await ask("browse?levels=0&")
                    .matches(of: #/"name": "([^"]+)"/#).map { String($0.1) }
                process.signal(SIGTERM)
                _ = try await process.end()

                let files = try site.tree().files
                let hidden = [Layout.own, Layout.favorites, ".stfolder", ".stignore"]
                let shown = try Directory(opening: site.root).textNames()
                #expect(Set(names) == Set(shown).subtracting(hidden))
                #expect(names.contains("pictures"))
                #expect(files.filter { $0.key != ".stignore" } == before)
            }
        }

        @Test(.enabled(if: has("testparm"), "needs testparm"))
        func sambaKnowsEachSettingOfTheShare() async throws {
            let block = try Document("docs/see-it.md").block(with: "[apod]")
            try await withMirroredSite(days: 1) { site in
                try site.write(
                    block.replacing("/var/lib/apod-mirror", with: site.root), to: "smb.conf")

                let ending = try await Program.run(["testparm", "-s", "\(site.folder)/smb.conf"])

                #expect(ending.code == 0, "\(ending)")
                #expect(ending.output.contains("[apod]\n"), "\(ending)")
                for word in ["nknown parameter", "gnoring", "deprecated"] {
                    #expect(!ending.errors.contains(word), "\(ending)")
                }
            }
        }

        enum SmallServer: String, CaseIterable {
            case busybox, python3

            /// As the documents start it, but at a port of this machine alone.
            func command(port: Int) throws -> String {
                switch self {
                case .busybox:
                    let unit = try Document("systemd/examples/apod-mirror-web.service").text
                    let line = try #require(unit.firstMatch(of: #/\nExecStart=(.*)/#)).1
                    return String(line).replacing("8080", with: "127.0.0.1:\(port)")
                case .python3:
                    let line = try Document("docs/see-it.md").block(with: "http.server")
                    return line.replacing("8080", with: "\(port) --bind 127.0.0.1")
                }
            }
        }

        private static let installed = SmallServer.allCases.filter { has($0.rawValue, "curl") }

        @Test(
            .enabled(if: !installed.isEmpty, "needs busybox or Python, and curl"),
            arguments: installed)
        func aSmallWebServerShowsTheGallery(server: SmallServer) async throws {
            try await withMirroredSite(days: 1) { site in
                let port = try freePort()
                let command = try server.command(port: port)
                    .replacing("/var/lib/apod-mirror", with: site.root)
                let process = try Program(
                    ["sh", "-c", "exec \(command)"], environment: ["HOME": site.home])
                defer { process.signal(SIGKILL) }

                let page = try await answer(at: port, "/")
                let picture = "/\(try site.picture(of: Site.today))".percentEncoded(
                    keeping: "-._~/")
                let head = try await answer(at: port, picture, "--head")

                #expect(page.contains("<title>"), "\(page)")
                #expect(head.contains(" 200 ") && head.contains("image/jpeg"), "\(head)")
            }
        }

        @Test func theMenuEntryForNautilusAddsAFavorite() async throws {
            let block = try Document("docs/favorites.md").block(with: "nautilus")
            try await withMirroredSite(days: 1) { site in
                let picture = "\(site.root)/\(try site.picture(of: Site.today))"
                #expect(try await run(block, site).code == 0)
                try site.makeTool("notify-send", "")

                let entry = "\"$HOME/.local/share/nautilus/scripts/Keep as APOD favorite\""
                let ending = try await run("\(entry) '\(picture)'", site)

                #expect(ending.code == 0, "\(ending)")
                let list = try await site.read("favorites", "list")
                #expect(list.output.contains("\(Site.today)"), "\(list)")
            }
        }

        private static let hasGNOME =
            unsafe system(
                "gsettings list-keys org.gnome.desktop.background 2>&1 | grep -q picture-uri-dark")
            == 0

        @Test(.enabled(if: hasGNOME, "needs gsettings with the schemas of GNOME"))
        func theWallpaperOfGNOMEIsSet() async throws {
            let lines = try Document("docs/integrations.md").block(with: "gsettings")
                .split(separator: "\n").filter { $0.hasPrefix("gsettings") }
            try await withSite(days: 1) { site in
                let keys = ["picture-uri", "picture-uri-dark"]
                let questions = keys.map { "gsettings get org.gnome.desktop.background \($0)" }

                let ending = try await run(
                    (lines.map(String.init) + questions).joined(separator: "\n"), site,
                    environment: [
                        "GSETTINGS_BACKEND": "keyfile", "XDG_CONFIG_HOME": "\(site.folder)/config",
                    ])

                let address = "'file://\(site.home)/Pictures/APOD/latest.jpg'\n"
                #expect(ending.output == address + address, "\(ending)")
            }
        }

        /// Mails nothing while all is well.
        @Test func theLineForCronPrintsTheStatusWhenSomethingIsWrong() async throws {
            let block = try Document("docs/notifications.md").block(with: "status > /dev/null")
            let command = try #require(block.firstMatch(of: #/^0 22 \* \* \* (.*)\n/#)).1
            try await withMirroredSite { site in
                let words = "export APOD_MIRROR_ROOT='\(site.root)'; \(command)"
                let well = try await run(words, site)
                try await site.damage("truncate -s 0", try site.picture(of: Site.day(1)))
                site.simulator.inject(.notFound, on: .any, times: nil)
                _ = try await site.read(["verify", "--repair"] + site.upstream)
                let ill = try await run(words, site)

                #expect(well.code == 0 && well.output + well.errors == "", "\(well)")
                #expect(ill.code == 8 && ill.output.contains("damage"), "\(ill)")
            }
        }

        private static let hasJQ = unsafe system("command -v jq >/dev/null 2>&1") == 0

        /// Also where the age of the newest day is unknown.
        @Test(.enabled(if: hasJQ, "needs jq"))
        func theLineForCronPrintsTheStatusIfNothingNewComes() async throws {
            let block = try Document("docs/notifications.md").block(with: "172800")
            let command = try #require(block.firstMatch(of: #/^0 22 \* \* \* (.*)\n/#)).1
            try await withMirroredSite { site in
                func words(_ root: String) -> String {
                    "export APOD_MIRROR_ROOT='\(root)'; \(command)"
                }
                let well = try await run(words(site.root), site)
                let old = try await run(
                    words(site.root).replacing("172800", with: "1"), site)
                let away = try await run(words("\(site.folder)/away"), site)

                #expect(well.code == 0 && well.output + well.errors == "", "\(well)")
                #expect(old.output.contains("\nnewest "), "\(old)")
                #expect(away.code == 4 && away.errors.contains("is not a mirror"), "\(away)")
            }
        }

        @Test func theLineForCronPrintsHeldFavorites() async throws {
            let block = try Document("docs/notifications.md").block(with: "grep '(held)'")
            let command = try #require(block.firstMatch(of: #/^0 22 \* \* \* (.*)\n/#)).1
            try await withMirroredSite { site in
                let words = "export APOD_MIRROR_ROOT='\(site.root)'; \(command)"
                for day in 1...3 { _ = try await site.read("favorites", "add", "\(Site.day(day))") }
                let before = try await run(words, site)
                _ = try await run("rm '\(site.root)'/favorites/*", site)
                _ = try await site.read(["run", "--once"] + site.upstream)
                let after = try await run(words, site)

                #expect(before.output + before.errors == "", "\(before)")
                #expect(after.output.split(separator: "\n").count == 3, "\(after)")
            }
        }
    }
}
