import APOD
import Mirror
import Simulator
import Testing

extension UnderSystemd {
    /// The service under a real systemd, as the package installs it.
    @Suite(.timeLimit(.minutes(1))) struct InstalledServiceTests {
        @Test func itRunsOnceItIsInstalled() async throws {
            try await withService { service in
                #expect(try await service.property("ActiveState") == "active")
                #expect(try await service.property("UnitFileState") == "enabled")
                #expect(try await service.property("User") == "apod-mirror")
                #expect(try await service.tells("newest \(Site.today), 0 days missing"))
                let tree = try service.tree()
                #expect(tree.complete.count == 10)
            }
        }

        @Test func itDrawsThumbnailsAndTheGallery() async throws {
            try await withService { service in
                // Nothing tells of them; they come within a second of the days.
                let ending = try await service.machine.run(
                    """
                    cd \(InstalledService.root)
                    for try in $(seq 100); do
                        [ "$(ls thumbnails/*/*/*.jpg 2>/dev/null | wc -l)" = 10 ] && \
                            grep --quiet thumbnails/ index.html && exit 0
                        sleep 0.1
                    done
                    ls thumbnails/*/* index.html; exit 1
                    """)

                #expect(ending.code == 0, "\(ending)")
            }
        }

        @Test func theUnitsAreWithoutReproachAndLittleExposed() async throws {
            try await withService { service in
                let verdict = try await service.machine.run(
                    """
                    systemd-analyze verify /lib/systemd/system/apod-mirror.service
                    XDG_RUNTIME_DIR=/run systemd-analyze verify --user /usr/lib/systemd/user/apod-mirror.service
                    cp /usr/share/doc/apod-mirror/examples/*.service /etc/systemd/system
                    systemd-analyze verify apod-mirror-check.service apod-mirror-failed@x.service
                    """)
                let exposure = try await service.machine.run(
                    "systemd-analyze security --threshold=12 apod-mirror.service")

                #expect(verdict.output + verdict.errors == "" && verdict.code == 0, "\(verdict)")
                #expect(exposure.code == 0, "\(exposure)")
            }
        }

        @Test func aLinkOfAnotherUserBecomesAFavorite() async throws {
            try await withService { service in
                let day = Site.today.advanced(by: -3)
                try await service.favor(day)

                #expect(try service.tree().files["\(Layout.own)/favorites/\(day).json"] != nil)
                #expect(try await service.tells("1 favorite"))
            }
        }

        @Test func aFolderThatAUserMakesIsOpenToTheService() async throws {
            try await withService { service in
                let day = Site.today.advanced(by: -3)
                let news = try await service.news()
                // A link that dangles, which the service makes again in place.
                let link = "ln -s ../../pictures/elsewhere/\(day).jpg favorites/best/x"
                _ = try await service.run(as: "ada", "umask 077; mkdir favorites/best; \(link)")
                try await news.output.wait(for: "favorites/best/x leads to pictures/")

                let target = try await service.machine.read(
                    "readlink --canonicalize \(InstalledService.root)/favorites/best/x")
                #expect(target.contains("pictures/\(day.year)/"))
            }
        }

        private static let attacks = [
            "touch pictures/mine", "rm -r pictures", "mv pictures/*/*/* favorites/",
            "rm metadata/*/*/*", "mv favorites elsewhere", "rmdir favorites", "rm latest.*",
            "echo x >> latest.*", "touch .apod-mirror/x", "mkdir x",
            "rm .apod-mirror/lock", "chmod 777 favorites", "chmod 777 pictures",
        ]

        @Test func theTreeIsProtectedFromThatUser() async throws {
            try await withService { service in
                let before = try service.tree().treasure

                for attack in Self.attacks {
                    let ending = try await service.run(as: "ada", attack)
                    #expect(ending.code != 0, "\(attack): \(ending)")
                }
                #expect(try service.tree().treasure == before)
            }
        }

        @Test func whoIsNotInTheGroupMayLookAndNoMore() async throws {
            try await withService { service in
                let all = try await service.run(
                    as: "eve",
                    "cat pictures/*/*/* metadata/*/*/* latest.* > /dev/null && ls favorites")
                let link = try await service.run(as: "eve", "ln -s ../latest.jpg favorites/")

                #expect(all.code == 0, "\(all)")
                #expect(link.code != 0 && link.errors.contains("Permission denied"), "\(link)")
            }
        }

        @Test func aReloadLooksAtOnce() async throws {
            try await withService(days: 11, newest: Site.today.advanced(by: -1)) { service in
                service.site.simulator.newest = Site.today
                let news = try await service.news()

                let ending = try await service.machine.run("systemctl reload apod-mirror")
                try await news.output.wait(for: "\(Site.today) “")

                #expect(ending.code == 0, "\(ending)")
                #expect(try await service.property("NRestarts") == "0")
            }
        }

        @Test func whatHangsIsKilledAndComesBackWithNothingLost() async throws {
            try await withService { service in
                let day = Site.today.advanced(by: -3)
                try await service.favor(day)
                try await service.configure("WatchdogSec=4s\nRestartSec=100ms")
                try await service.machine.run("systemctl restart apod-mirror")
                let before = try service.tree().treasure
                let pid = try await service.property("MainPID")
                let news = try await service.news()

                try await service.machine.run("kill -STOP \(pid)")
                try await news.output.wait(for: "Watchdog timeout")
                try await news.output.wait(for: "Started apod-mirror.service")

                #expect(try await service.property("NRestarts") == "1")
                #expect(try await service.property("MainPID") != pid)
                #expect(try await service.property("ActiveState") == "active")
                #expect(try service.tree().treasure == before)
            }
        }

        @Test func itStopsAtOnce() async throws {
            try await withService { service in
                let start = ContinuousClock.now
                let ending = try await service.machine.run("systemctl stop apod-mirror")
                let time = start.duration(to: .now)

                #expect(ending.code == 0 && time < .seconds(2), "\(time)")
                #expect(try await service.property("Result") == "success")
                #expect(try await service.property("ExecMainStatus") == "0")
            }
        }

        @Test func theKeyOfACredentialIsNowhereElse() async throws {
            let settings = """
                install -D --mode=600 /dev/null /etc/apod-mirror/nasa-api-key
                echo KEY0123456789 > /etc/apod-mirror/nasa-api-key
                """
            try await withService(settings: settings) { service in
                let pid = try await service.property("MainPID")
                let given = try await service.machine.read(
                    "cat /run/credentials/apod-mirror.service/nasa-api-key")
                let found = try await service.machine.run(
                    """
                    grep --recursive --quiet KEY0123456789 \(InstalledService.root) /var/cache/apod-mirror \
                        /proc/\(pid)/cmdline /proc/\(pid)/environ && echo in a file
                    journalctl | grep KEY0123456789
                    """)

                #expect(given == "KEY0123456789")
                #expect(found.output == "", "\(found)")
            }
        }
    }
}
