import APOD
import Mirror
import Platform
import Testing

extension UnderSystemd {
    /// The service under a real systemd, as installed by the package, shared by all tests.
    @Suite(.sharedService, .timeLimit(.minutes(10))) struct InstalledServiceTests {
        @Test func theServiceRunsAfterInstallation() async throws {
            let service = try #require(SharedService.current)
            #expect(try await service.property("ActiveState") == "active")
            #expect(try await service.property("UnitFileState") == "enabled")
            #expect(try await service.property("User") == "apod-mirror")
            #expect(try await service.statusContains("\"complete\": 10,"))
            let tree = try service.tree()
            #expect(tree.complete.count == 10)
        }

        @Test func theServiceCreatesThumbnailsAndTheGallery() async throws {
            let service = try #require(SharedService.current)
            // Nothing statusContains of them; they come within a second of the days.
            let ending = try await service.machine.run(
                """
                cd \(InstalledService.root)
                for try in $(seq 6000); do
                    [ "$(ls gallery/thumbnails/*/*/*.jpg 2>/dev/null | wc -l)" = 10 ] && \
                        grep --quiet thumbnails/ index.html && exit 0
                    sleep 0.1
                done
                ls gallery/thumbnails/*/* index.html; exit 1
                """)

            #expect(ending.code == 0, "\(ending)")
        }

        @Test func systemdAnalyzeRatesTheUnitsValidAndLittleExposed() async throws {
            let service = try #require(SharedService.current)
            let analysis = try await service.machine.run(
                """
                systemd-analyze verify /lib/systemd/system/apod-mirror.service
                XDG_RUNTIME_DIR=/run systemd-analyze verify --user /usr/lib/systemd/user/apod-mirror.service
                cp /usr/share/doc/apod-mirror/examples/*.service /etc/systemd/system
                systemd-analyze verify apod-mirror-check.service apod-mirror-failed@x.service
                """)
            let exposure = try await service.machine.run(
                "systemd-analyze security --threshold=14 apod-mirror.service")

            #expect(analysis.output + analysis.errors == "" && analysis.code == 0, "\(analysis)")
            #expect(exposure.code == 0, "\(exposure)")
        }

        @Test func aLinkOfAnotherUserBecomesAFavorite() async throws {
            let service = try #require(SharedService.current)
            let day = Site.day(3)
            try await service.favor(day)

            #expect(try service.tree().files["\(Layout.own)/favorites/\(day).json"] != nil)
            #expect(try await service.statusContains("\"kept\": 1,"))
        }

        @Test func theServiceMayWriteToDirectoriesOfUsers() async throws {
            let service = try #require(SharedService.current)
            let day = Site.day(4)
            let journal = try await service.newJournal()
            // A broken link, which the service repairs in place.
            let link = "ln -s ../../pictures/elsewhere/\(day).jpg favorites/best/x"
            _ = try await service.run(as: "ada", "umask 077; mkdir favorites/best; \(link)")
            try await journal.output.wait(for: "repaired favorites/best/x")

            let target = try await service.machine.read(
                "readlink --canonicalize \(InstalledService.root)/favorites/best/x")
            #expect(target.contains("pictures/\(day.year)/"))
        }

        private static let attacks = [
            "touch pictures/mine", "rm -r pictures", "mv pictures/*/*/* favorites/",
            "rm metadata/*/*/*", "mv favorites elsewhere", "rmdir favorites", "rm latest.*",
            "echo x >> latest.*", "touch .apod-mirror/x", "mkdir x",
            "rm .apod-mirror/lock", "chmod 777 favorites", "chmod 777 pictures",
        ]

        @Test func theTreeIsProtectedFromThatUser() async throws {
            let service = try #require(SharedService.current)
            let before = try service.tree().treasure

            for attack in Self.attacks {
                let ending = try await service.run(as: "ada", attack)
                #expect(ending.code != 0, "\(attack): \(ending)")
            }
            #expect(try service.tree().treasure == before)
        }

        @Test func usersOutsideTheGroupMayOnlyRead() async throws {
            let service = try #require(SharedService.current)
            let all = try await service.run(
                as: "eve",
                "cat pictures/*/*/* metadata/*/*/* latest.* > /dev/null && ls favorites")
            let link = try await service.run(as: "eve", "ln -s ../latest.jpg favorites/")

            #expect(all.code == 0, "\(all)")
            #expect(link.code != 0 && link.errors.contains("Permission denied"), "\(link)")
        }

        @Test func thePackageSetsOwnersAndModes() async throws {
            let service = try #require(SharedService.current)
            let modes = try await service.machine.read(
                "cd \(InstalledService.root) && stat --format='%A %U %G %n' . favorites pictures"
            )
            let rights = try await service.machine.read(
                "getfacl --omit-header --default \(InstalledService.root)/favorites")

            #expect(
                modes == """
                    drwxr-xr-x apod-mirror apod-mirror .
                    drwxrwsr-x apod-mirror apod-favorites favorites
                    drwxr-xr-x apod-mirror apod-mirror pictures
                    """)
            #expect(rights.contains("group:apod-favorites:rwx"), "\(rights)")
        }

        @Test func thePackageContainsTheManualAndEnablesNoUserService() async throws {
            let service = try #require(SharedService.current)
            let manual = try await service.machine.run(
                "test -s /usr/share/man/man1/apod-mirror.1.gz")
            let session = try await service.machine.read(
                "systemctl --global is-enabled apod-mirror")

            #expect(manual.code == 0, "\(manual)")
            #expect(session == "disabled")
        }

        @Test func theIdleDaemonNeitherWakesNorGrows() async throws {
            let service = try #require(SharedService.current)
            let pid = try await service.property("MainPID")

            try await service.waitForRest(pid)
            let memory = try await service.machine.read(
                "awk '/^RssAnon/ { print $2 }' /proc/\(pid)/status")

            #expect(Int(memory).map { $0 <= 5 << 10 } == true, "\(memory) kB")
        }

        @Test func theServiceStopsBeforeItsTimeLimit() async throws {
            let service = try #require(SharedService.current)
            let ending = try await service.machine.run("systemctl stop apod-mirror")

            #expect(ending.code == 0, "\(ending)")
            #expect(try await service.property("Result") == "success")
            #expect(try await service.property("ExecMainStatus") == "0")
            try await service.machine.run("systemctl start apod-mirror")
        }
    }
}

extension InstalledService {
    /// Returns when the process was idle for ten seconds.
    fileprivate func waitForRest(_ pid: String) async throws {
        var (before, now) = (Int?.none, try await switches(of: pid))
        while now != before {
            // The observed period, not a delay.
            try await LoopClock().sleep(for: .seconds(10))
            (before, now) = (now, try await switches(of: pid))
        }
    }

    /// How often a thread of the process was put on or taken off a processor.
    fileprivate func switches(of pid: String) async throws -> Int? {
        Int(
            try await machine.read(
                "cat /proc/\(pid)/task/*/status | awk '/ctxt_switches/ { n += $2 } END { print n }'"
            ))
    }
}
