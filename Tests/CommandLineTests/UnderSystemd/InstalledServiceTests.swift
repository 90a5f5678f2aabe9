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
            #expect(try await service.statusContains("newest \(Site.today), 0 days missing"))
            let tree = try service.tree()
            #expect(tree.complete.count == 10)
        }

        @Test func theServiceCreatesThumbnailsAndTheGallery() async throws {
            let service = try #require(SharedService.current)
            // The status says nothing of them; they come after the days.
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

        @Test func systemdAnalyzeRatesTheUnitsValid() async throws {
            let service = try #require(SharedService.current)
            let analysis = try await service.machine.run(
                """
                systemd-analyze verify /lib/systemd/system/apod-mirror.service
                XDG_RUNTIME_DIR=/run systemd-analyze verify --user /usr/lib/systemd/user/apod-mirror.service
                cp /usr/share/doc/apod-mirror/examples/*.service /etc/systemd/system
                systemd-analyze verify apod-mirror-check.service apod-mirror-failed@x.service
                """)

            #expect(analysis.output + analysis.errors == "" && analysis.code == 0, "\(analysis)")
        }

        private static let attacks = [
            "touch pictures/mine", "rm -r pictures", "mv pictures/*/*/* favorites/",
            "rm metadata/*/*/*", "mv favorites elsewhere", "rmdir favorites", "rm latest.*",
            "echo x >> latest.*", "touch .apod-mirror/x", "mkdir x",
            "rm .apod-mirror/lock", "flock .apod-mirror/lock true", "chmod 777 favorites",
            "chmod 777 pictures",
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

        /// Also after a boot, which runs systemd-tmpfiles(8), and where the service makes a deleted folder again.
        @Test func theRightsThatAPersonSetsOnFavoritesStay() async throws {
            let service = try #require(SharedService.current)
            let rights = "getfacl --absolute-names \(InstalledService.root)/favorites"
            let before = try await service.machine.read(rights)
            let restart = "systemctl restart apod-mirror; systemd-tmpfiles --create"

            for change in ["chmod 2770", "setfacl -b", "setfacl -m default:user:ada:rwx"] {
                let changed = try await service.machine.read(
                    "\(change) \(InstalledService.root)/favorites; \(rights)")
                #expect(changed != before, "\(change)")
                let after = try await service.machine.read("\(restart); \(rights)")
                #expect(after == changed, "\(change)")
            }
            // It is ready when favorites/ is scanned.
            try await service.machine.run(
                """
                systemctl stop apod-mirror
                rm -r \(InstalledService.root)/favorites
                systemctl start apod-mirror
                """)
            try await service.favor(Site.day(5))
            let again = try await service.machine.read("\(restart); \(rights)")
            for line in ["group: apod-favorites", "default:user:ada:rwx", "\nother::---"] {
                #expect(again.contains(line), "\(again)")
            }
            try await service.favor(Site.day(6))

            try await service.machine.run(
                """
                cd \(InstalledService.root) && setfacl -b favorites && chmod 2775 favorites
                setfacl -m default:group:apod-favorites:rwx favorites
                """)
            #expect(try await service.machine.read(rights) == before)
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

        @Test func thePackageContainsTheManualAndEnablesNoUserService() async throws {
            let service = try #require(SharedService.current)
            let manual = try await service.machine.run(
                "test -s /usr/share/man/man1/apod-mirror.1.gz")
            let session = try await service.machine.read(
                "systemctl --global is-enabled apod-mirror")

            #expect(manual.code == 0, "\(manual)")
            #expect(session == "disabled")
        }

        /// A daemon that does not handle SIGHUP would end.
        @Test func theServiceReloads() async throws {
            let service = try #require(SharedService.current)
            let pid = try await service.property("MainPID")

            let ending = try await service.machine.run("systemctl reload apod-mirror")

            #expect(ending.code == 0, "\(ending)")
            #expect(try await service.statusContains("0 days missing"))
            #expect(try await service.property("MainPID") == pid)
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
