import Glibc
import JSON
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    /// What a service leaves for `status` and `doctor`, which a user may ask who may not read the journal.
    @Suite(.timeLimit(.minutes(10))) struct ServiceNoteTests {
        private func check(_ ending: Ending) throws -> (result: String?, message: String) {
            let check = try ending.json["checks"]?.elements.first {
                $0["name"]?.string == "service"
            }
            return (check?["result"]?.string, check?["message"]?.string ?? "")
        }

        private func doctor(_ site: Site) async throws -> (result: String?, message: String) {
            try check(try await site.read("doctor", "--offline", "--json"))
        }

        /// An option that is not valid, a misspelled one, and a mirror of another version.
        @Test(arguments: [
            (["--jobs", "many"], "“many” is not"), (["--jbos", "2"], "unknown option “--jbos”"),
            ([], "has format 99"),
        ])
        func theReasonOfAFailedServiceIsInStatusAndDoctor(
            options: [String], reason: String
        ) async throws {
            try await withMirroredSite(days: 1) { site in
                let socket = try NotifySocket("@\(site.folder)")
                let environment = [
                    "NOTIFY_SOCKET": socket.address, "APOD_MIRROR_ROOT": site.root,
                ]
                let marker = try site.tree().files[Layout.marker] ?? []
                if options.isEmpty {
                    try site.write(
                        String(decoding: marker, as: UTF8.self)
                            .replacing(#/"format": \d+/#) { _ in "\"format\": 99" },
                        to: "apod/\(Layout.marker)")
                }

                let service = try await site.start(
                    ["run"] + site.upstream + options, environment: environment
                ).end()
                try site.write(marker, to: "apod/\(Layout.marker)")
                let status = try await site.read("status")
                let failed = try await doctor(site)

                #expect([2, 4].contains(service.code), "\(service)")
                #expect(status.code == 1, "\(status)")
                #expect(status.output.contains("the service has failed: "), "\(status)")
                #expect(status.output.contains(reason), "\(status)")
                #expect(failed.result == "problem" && failed.message.contains(reason), "\(failed)")
            }
        }

        @Test func onlyTheEndOfTheServiceItselfIsAProblem() async throws {
            try await withMirroredSite(days: 1) { site in
                let socket = try NotifySocket("@\(site.folder)")
                let environment = ["NOTIFY_SOCKET": socket.address]
                let daemon = try site.start(["run"] + site.settings(), environment: environment)
                try await socket.wait(for: "READY=1")
                let running = try await doctor(site)
                let second = try await site.start(
                    ["run"] + site.settings(), environment: environment
                ).end()
                let beside = try await doctor(site)
                daemon.signal(SIGKILL)
                _ = try await daemon.end()
                let killed = try await doctor(site)

                #expect(running.result == "ok", "\(running)")
                // One that the lock refused is not the service.
                #expect(second.code == 5 && beside.result == "ok", "\(second); \(beside)")
                #expect(killed.result == "problem", "\(killed)")
                #expect(killed.message.contains("ended without a word"), "\(killed)")
            }
        }

        /// After a start of the machine, the number of a daemon that ended may be that of any process.
        @Test func theNoteOfADaemonThatEndedIsReplacedWhateverHasItsNumber() async throws {
            try await withMirroredSite(days: 1) { site in
                let socket = try NotifySocket("@\(site.folder)")
                let environment = ["NOTIFY_SOCKET": socket.address]
                let other = try site.start(
                    ["run"] + site.settings(root: "\(site.folder)/other"), environment: environment)
                try await socket.wait(for: "READY=1")
                let note = "\(site.home)/.local/state/apod-mirror/service.json"
                let changed = try await site.shell(
                    "sed -i -z -E 's/\"state\" *:.*/\"state\": {\"stopped\": {}}}/' '\(note)'; grep -c stopped '\(note)'"
                )
                #expect(changed.code == 0, "\(changed)")

                let daemon = try site.start(["run"] + site.settings(), environment: environment)
                _ = try await polled { try await doctor(site).result == "ok" ? true : nil }

                for program in [daemon, other] { _ = try await program.stop() }
            }
        }

        /// As in a container, which restarts it; then a timer replaces the service by “run --once”.
        @Test func theFailureOfADaemonWithoutAManagerIsOverOnceNASAIsReached() async throws {
            try await withMirroredSite { site in
                let marker = try site.tree().files[Layout.marker] ?? []
                try site.write(
                    String(decoding: marker, as: UTF8.self)
                        .replacing(#/"format": \d+/#) { _ in "\"format\": 99" },
                    to: "apod/\(Layout.marker)")
                let daemon = try await site.start(["run"] + site.settings()).end()
                try site.write(marker, to: "apod/\(Layout.marker)")
                let failed = try await site.read("status")
                // It was an hour ago.
                let note = "\(site.home)/.local/state/apod-mirror/service.json"
                let changed = try await site.shell(
                    "sed -i -E 's/(\"since\" *: *\")[^\"]*/\\12001-01-01T00:00:00Z/' '\(note)' && grep -c 2001-01-01 '\(note)'"
                )
                #expect(changed.code == 0, "\(changed)")

                #expect(daemon.code == 4, "\(daemon)")
                #expect(failed.code == 1 && failed.output.contains("has format 99"), "\(failed)")
                #expect(try await site.mirror().code == 0)
                let status = try await site.read("status")
                #expect(status.code == 0, "\(status)")
                #expect(try await doctor(site).result == "note")
            }
        }

        /// As after “rm -rf /var/cache/*”.
        @Test func whatWasDeletedFromTheStateDirectoryIsThereAgainAfterAReload() async throws {
            try await withMirroredSite(days: 1) { site in
                let daemon = try site.start(["run"] + site.settings())
                _ = try await polled { try await doctor(site).result == "ok" ? true : nil }
                let state = "\(site.home)/.local/state/apod-mirror"
                // The daemon may add a file at the end of its first sync, while rm(1) deletes the others.
                let removed = try await site.shell(
                    "until rm -rf '\(state)'; do :; done 2>/dev/null")
                #expect(removed.code == 0, "\(removed)")

                daemon.signal(SIGHUP)
                _ = try await polled {
                    let names = try? Directory(opening: state).textNames()
                    return names.map(Set.init) == ["mirrors", "service.json"] ? true : nil
                }
                let check = try await doctor(site)
                _ = try await daemon.stop()

                #expect(check.result == "ok", "\(check)")
            }
        }

        @Test func aServiceThatFailedBeforeItsMirrorExistsIsNamed() async throws {
            try await withSite(days: 1) { site in
                let service = try await site.start(
                    ["run", "--jobs", "many"],
                    environment: [
                        "NOTIFY_SOCKET": "\(site.folder)/notify", "APOD_MIRROR_ROOT": site.root,
                    ]
                ).end()
                let status = try await site.read("status")

                #expect(service.code == 2 && status.code == 4, "\(service); \(status)")
                #expect(status.errors.contains("its service has failed: "), "\(status)")
                #expect(status.errors.contains("“many” is not"), "\(status)")
            }
        }

        @Test func doctorSaysThatAServiceWaitsForNASAsFirstAnswer() async throws {
            try await withSite(days: 1) { site in
                site.simulator.inject(.refuse, on: .any, times: nil)
                let daemon = try site.start(["run"] + site.settings())
                try await daemon.errors.wait(for: "before NASA answers")

                let waiting = try await doctor(site)
                _ = try await daemon.stop()
                let stopped = try await doctor(site)

                #expect(waiting.result == "note", "\(waiting)")
                #expect(waiting.message.hasPrefix("waits for NASA's first answer"), "\(waiting)")
                #expect(stopped.result == "note", "\(stopped)")
                #expect(stopped.message.hasPrefix("was stopped"), "\(stopped)")
            }
        }

        /// A machine on which the package was installed a minute ago.
        @Test(.enabled(if: hasNoService))
        func doctorChecksTheDirectoryThatAnInstalledServiceWillUse() async throws {
            try await withSite(days: 1) { site in
                try site.write("", to: "usr/lib/systemd/system/apod-mirror.service")
                try site.write("", to: "usr/bin/empty")
                let ending = try await site.command([
                    "sh", "-c",
                    """
                    cd "$1" && { ln "$0" usr/bin/apod-mirror 2>/dev/null || cp "$0" usr/bin/apod-mirror; } \
                        && exec usr/bin/apod-mirror doctor --offline --json
                    """, Program.path, site.folder,
                ])

                let service = try check(ending)
                #expect(service.result == "note", "\(ending)")
                #expect(service.message.contains("was never started"), "\(ending)")
                #expect(service.message.contains("/var/lib/apod-mirror"), "\(ending)")
                #expect(!ending.output.contains(site.home), "\(ending)")
            }
        }
    }
}
