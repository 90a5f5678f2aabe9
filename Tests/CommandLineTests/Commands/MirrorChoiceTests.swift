import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// The choice of a mirror without `--root`.
    @Suite(.timeLimit(.minutes(10))) struct MirrorChoiceTests {
        /// Runs apod-mirror in a directory, without any variable that names a mirror.
        private func run(_ words: String, in folder: String, _ site: Site) async throws -> Ending {
            try await site.command([
                "bash", "-c", "cd \"$1\" && exec \(Program.path) \(words)", "bash", folder,
            ])
        }

        /// The same after a line of bash, whose first directory is that of `site`.
        private func run(_ words: String, after line: String, _ site: Site) async throws -> Ending {
            let script = "cd \"$0\" && \(line) && exec \(Program.path) \(words)"
            return try await site.command(["bash", "-c", script, site.folder])
        }

        /// A name in Latin-1, for bash.
        private static let latin = "$'caf\\xe9'"

        /// As text, such a path would name another directory.
        @Test(arguments: [
            ("--root \(latin)", "", "the argument “caf\u{fffd}”"),
            ("--root=\(latin)", "", "the argument “--root=caf\u{fffd}”"),
            ("", "export HOME=/\(latin)", "HOME = “/caf\u{fffd}”"),
            ("", "export APOD_MIRROR_ROOT=\(latin)", "APOD_MIRROR_ROOT = “caf\u{fffd}”"),
            ("--root .", "mkdir \(latin) && cd \(latin)", "the path of the current directory"),
            ("", "mkdir \(latin) && cd \(latin)", "the path of the current directory"),
        ])
        func aPathThatIsNotUTF8IsRefused(words: String, line: String, source: String) async throws {
            try await withSite(days: 1) { site in
                let ending = try await run(
                    "run --once \(words)", after: line.isEmpty ? "true" : line, site)

                #expect(ending.code == 2 && ending.sentences.count == 1, "\(ending)")
                #expect(ending.errors.contains("\(source) is not UTF-8"), "\(ending)")
                #expect(try TreeImage(of: site.folder).files == [:])
            }
        }

        /// bash replaces `~` in `--root ~/apod`, and not in `--root=~/apod`; systemd replaces nothing in a file of settings.
        @Test(arguments: [
            ("--root=~/apod", "true", "--root: “~/apod”"),
            ("", "export APOD_MIRROR_ROOT='~/apod'", "APOD_MIRROR_ROOT: “~/apod”"),
            ("", "export APOD_MIRROR_ROOT='$HOME/apod'", "APOD_MIRROR_ROOT: “$HOME/apod”"),
        ])
        func aPathThatAShellWouldHaveReplacedIsRefused(
            words: String, line: String, source: String
        ) async throws {
            try await withSite(days: 1) { site in
                let ending = try await run("run --once \(words)", after: line, site)

                #expect(ending.code == 2 && ending.sentences.count == 1, "\(ending)")
                #expect(ending.errors.contains(source), "\(ending)")
                #expect(try TreeImage(of: site.folder).files == [:])
            }
        }

        /// Where there is none, that is the error of a command that makes none.
        @Test func onlyAMirrorThatExistsIsSaidToBeUsed() async throws {
            try await withSite(days: 1) { site in
                let none = try await site.end("search", "crab")
                let preview = try await site.end("run", "--once", "--dry-run")
                let first = try await site.start(["run", "--once"] + site.upstream).end()
                let second = try await site.end("search", "crab")

                let root = "\(site.home)/Pictures/APOD"
                for ending in [none, preview] {
                    #expect(ending.code == 4 && ending.sentences.count == 1, "\(ending)")
                }
                #expect(first.errors.contains("making a mirror in \(root)\n"), "\(first)")
                #expect(second.errors.contains("using the mirror in \(root)\n"), "\(second)")
            }
        }

        private static func root(_ ending: Ending) throws -> String? {
            try ending.json["root"]?.string
        }

        @Test func theMirrorAroundTheCurrentDirectoryComesAfterOptionsAndVariables() async throws {
            try await withMirroredSite(days: 1) { site in
                let other = "\(site.home)/Pictures/APOD"
                _ = try await site.mirror(root: other)
                for below in ["", "/pictures", "/favorites", "/.apod-mirror"] {
                    let ending = try await run("status --json", in: site.root + below, site)

                    #expect(try Self.root(ending) == site.root, "\(ending)")
                }
                let option = try await run("status --json --root \(other)", in: site.root, site)
                let variable = try await site.shell("cd \(other) && \(Program.path) status --json")
                #expect(try Self.root(option) == other && Self.root(variable) == site.root)
            }
        }

        /// Also while its disk is not mounted.
        @Test(.enabled(if: hasNoService)) func theDefaultIsTheMirrorOfTheUser() async throws {
            try await withSite(days: 1) { site in
                let own = "\(site.home)/Pictures/APOD"
                _ = try await site.mirror(root: own)

                let json = try await run("status --json", in: site.folder, site)
                let list = try await run("favorites list", in: site.folder, site)

                #expect(try Self.root(json) == own, "\(json)")
                #expect(
                    list.errors.contains(own) && list.output.hasPrefix("no favorites"), "\(list)")
                #expect(try await site.shell("rm -rf '\(own)'/* '\(own)'/.a*").code == 0)
                let ending = try await run("status", in: site.folder, site)
                #expect(ending.code == 4 && ending.errors.contains("mount its disk"), "\(ending)")
            }
        }

        /// A disk that is not mounted included; the service of a session has it from there, too.
        @Test(.enabled(if: hasNoService))
        func theMirrorThatTheSettingsOfTheUsersServiceNameIsTheirs() async throws {
            try await withSite(days: 1) { site in
                let other = "\(site.folder)/other"
                let settings = "\(site.home)/.config/apod-mirror"
                for root in ["\(site.home)/Pictures/APOD", other] {
                    _ = try await site.mirror(root: root)
                }
                _ = try Directory(opening: "/").makeDirectory(String(settings.dropFirst()))
                let file = "'\(settings)/environment'"
                #expect(try await site.shell("echo APOD_MIRROR_ROOT='\(other)' >\(file)").code == 0)

                let json = try await run("status --json", in: site.folder, site)
                #expect(try await site.shell("rm -rf '\(other)'/* '\(other)'/.a*").code == 0)
                let away = try await run("status", in: site.folder, site)

                #expect(try Self.root(json) == other, "\(json)")
                #expect(away.code == 4 && away.errors.contains("\(other) was a mirror"), "\(away)")
            }
        }

        /// It would be a second one, in the home directory.
        @Test(.enabled(if: hasNoService), arguments: ["run --once", "run", "adopt --offline ."])
        func noMirrorIsCreatedBesideADaemonThatWaitsForNASA(words: String) async throws {
            try await withSite(days: 1) { site in
                site.simulator.inject(.hang, on: .any, times: nil)
                var arrivals = site.simulator.arrivals().makeAsyncIterator()
                let daemon = try site.start(["run"] + site.settings())
                _ = await arrivals.next()
                _ = try Directory(opening: site.folder).makeDirectory("old")

                let options =
                    words.hasPrefix("run")
                    ? " --upstream \(site.simulator.basicAddress) --min-free 0" : ""
                let ending = try await run(words + options, in: "\(site.folder)/old", site)

                #expect(ending.code == 4, "\(ending)")
                #expect(ending.errors.contains("process \(daemon.pid), "), "\(ending)")
                #expect(ending.errors.contains("creates it in \(site.root) after"), "\(ending)")
                #expect(try Directory(opening: site.home).folder("Pictures") == nil)
                daemon.signal(SIGTERM)
                _ = try await daemon.end()
                await site.simulator.releaseRequests()
            }
        }

        /// systemd sets it for any unit, such as one that sends alerts: only `run` takes it for a mirror.
        @Test(.enabled(if: hasNoService), arguments: ["status --json", "doctor --offline --json"])
        func theStateDirectoryOfAnotherUnitIsNotTakenForTheMirror(words: String) async throws {
            try await withSite(days: 1) { site in
                let own = "\(site.home)/Pictures/APOD"
                _ = try await site.mirror(root: own)
                let alerts = try Directory(opening: site.folder).makeDirectory("alerts")

                let ending = try await run(
                    words, after: "export STATE_DIRECTORY=\(alerts.path) && cd alerts", site)

                #expect(ending.output.contains(own), "\(ending)")
                #expect(!(ending.output + ending.errors).contains(alerts.path), "\(ending)")
            }
        }

        // MARK: The mirror of the service

        /// The same beside a service whose mirror is a copy of that of `site`.
        private func runBesideService(_ words: String, _ site: Site) async throws -> Ending {
            let line =
                "mount -t tmpfs none /var/lib && cp -a \"$1\" /var/lib/apod-mirror"
                + " && cd / && exec \(Program.path) \(words)"
            return try await site.command(["unshare", "-m", "bash", "-c", line, "bash", site.root])
        }

        /// `run` refuses it; a command that was run once must not change which mirror the next one uses.
        @Test(.enabled(if: mayMountInNamespace))
        func theMirrorOfTheServiceComesBeforeThatOfTheUser()
            async throws
        {
            try await withMirroredSite(days: 1) { site in
                for words in ["run --once", "run"] {
                    let ending = try await runBesideService(
                        "\(words) --upstream \(site.simulator.basicAddress) --min-free 0", site)

                    #expect(ending.code == 2 && ending.sentences.count == 1, "\(ending)")
                    #expect(ending.errors.contains("/var/lib/apod-mirror"), "\(ending)")
                    #expect(try Directory(opening: site.home).folder("Pictures") == nil)
                }
                let alone = try await runBesideService("status --json", site)
                let own = "\(site.home)/Pictures/APOD"
                _ = try await site.mirror(root: own)

                let both = try await runBesideService("status --json", site)
                let list = try await runBesideService("favorites list", site)

                let service = "/var/lib/apod-mirror"
                #expect(try Self.root(alone) == service && Self.root(both) == service, "\(both)")
                #expect(list.errors.contains(service) && !list.errors.contains(own), "\(list)")
            }
        }

        /// Drop-ins move the service to another disk and back; the mirrors that it leaves stay where they are.
        @Test(.enabled(if: mayMountInNamespace)) func theMirrorThatTheServiceOpenedLastIsItsMirror()
            async throws
        {
            try await withSite(days: 1) { site in
                let other = "\(site.folder)/other"
                let service =
                    "XDG_STATE_HOME=/var/cache \(Program.path) run --once -q"
                    + " --upstream \(site.simulator.basicAddress) --min-free 0 --since 1d --pace 0s --root"
                let status = "\(Program.path) status --json | grep '\"root\"'"
                let ending = try await site.command([
                    "unshare", "-m", "bash", "-euc",
                    """
                    mount -t tmpfs none /var/lib && mount -t tmpfs none /var/cache && cd /
                    install -d -m 755 /var/cache/apod-mirror
                    \(service) /var/lib/apod-mirror && \(status)
                    \(service) \(other) && \(status)
                    \(service) /var/lib/apod-mirror && \(status)
                    [ "$(stat --format=%a /var/cache/apod-mirror/mirrors)" = 644 ]
                    \(service) \(other) && mv \(other) \(other).away
                    \(Program.path) status || echo "code $?"
                    mkdir -p "$HOME/Pictures" && mv \(other).away "$HOME/Pictures/APOD" && \(status)
                    mkdir -p "$HOME/.config/apod-mirror" && cd "$HOME/.config/apod-mirror"
                    echo APOD_MIRROR_ROOT=/named >environment && cd /
                    \(Program.path) status || echo "code $?"
                    """,
                ])

                let lines = ending.output.split(separator: "\n")
                    .map { $0.filter { $0 != " " && $0 != "," } }
                let (first, second) = ("\"root\":\"/var/lib/apod-mirror\"", "\"root\":\"\(other)\"")
                // A mirror of the user that exists comes before one of the service that does not.
                let own = "\"root\":\"\(site.home)/Pictures/APOD\""
                // One that the user's settings name comes before both, even if it is not there.
                #expect(lines == [first, second, first, "code4", own, "code4"], "\(ending)")
                #expect(ending.errors.contains(other), "\(ending)")
                #expect(ending.errors.contains("/named"), "\(ending)")
            }
        }

        /// The disk has the directory of the mirror: nothing may take its place on the disk below.
        @Test(.enabled(if: mayMountInNamespace)) func theMirrorOfTheServiceMayBeOnAnUnmountedDisk()
            async throws
        {
            try await withSite(days: 1) { site in
                let disk = "\(site.folder)/disk"
                let ending = try await site.command([
                    "unshare", "-m", "bash", "-uc",
                    """
                    mount -t tmpfs none /var/lib && mount -t tmpfs none /var/cache && cd /
                    mkdir \(disk) \(site.folder)/old && mount -t tmpfs none \(disk)
                    install -d -m 755 /var/cache/apod-mirror
                    XDG_STATE_HOME=/var/cache \(Program.path) run --once -q --root \(disk)/apod \
                        --upstream \(site.simulator.basicAddress) --min-free 0 --since 1d --pace 0s
                    umount \(disk)
                    for words in status 'favorites list' 'adopt --offline \(site.folder)/old'; do
                        \(Program.path) $words 2>&1 | grep --count 'mount its disk'
                    done
                    ls -A \(disk)
                    """,
                ])

                #expect(ending.output == "1\n1\n1\n", "\(ending)")
            }
        }
    }
}

/// Whether the tests may mount file systems in a namespace of their own.
let mayMountInNamespace = unsafe system("unshare -m mount -t tmpfs none /var/lib") == 0
let hasNoService =
    unsafe system("test -e /var/lib/apod-mirror -o -e /var/cache/apod-mirror/mirrors") != 0
