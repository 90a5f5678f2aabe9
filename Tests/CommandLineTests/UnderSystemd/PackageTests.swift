import APOD
import Mirror
import TestSupport
import Testing

extension UnderSystemd {
    /// The life of the Debian package and of its service on a machine, each in its own container.
    @Suite(.timeLimit(.minutes(10))) struct PackageTests {
        @Test func anUpgradeKeepsTheMirrorAndRestartsTheService() async throws {
            try await withService { service in
                let day = Site.day(3)
                try await service.favor(day)
                let before = try service.tree().treasure
                let pid = try await service.property("MainPID")

                let ending = try await service.machine.run(
                    """
                    set -e
                    dpkg-deb --raw-extract \(Machine.packageInside) /opt/newer
                    sed --in-place 's/^Version: .*/Version: 99/' /opt/newer/DEBIAN/control
                    dpkg-deb -Znone --build --root-owner-group /opt/newer /opt/newer.deb
                    # A person who tries settings; the service stays up.
                    for try in 1 2 3 4 5 6 7; do systemctl restart apod-mirror; done
                    dpkg --install /opt/newer.deb
                    dpkg-query --show --showformat='${Version}' apod-mirror
                    """)

                #expect(ending.code == 0 && ending.output.hasSuffix("99"), "\(ending)")
                #expect(try await service.property("ActiveState") == "active")
                #expect(try await service.property("MainPID") != pid)
                #expect(try service.tree().treasure == before)
            }
        }

        @Test func removingAndPurgingThePackageKeepTheMirror() async throws {
            try await withService { service in
                let day = Site.day(3)
                try await service.favor(day)
                let before = try service.tree().treasure
                let run = service.machine.run

                let removal = try await run("dpkg --remove apod-mirror")
                #expect(removal.code == 0, "\(removal)")
                #expect(try await run("systemctl is-active apod-mirror").code != 0)
                #expect(try await run("command -v apod-mirror").code != 0)
                #expect(try service.tree().treasure == before)

                let purge = try await run("dpkg --purge apod-mirror")
                #expect(purge.code == 0, "\(purge)")
                #expect(!purge.errors.contains("not empty"), "\(purge)")
                #expect(try service.tree().treasure == before)
                #expect(try await run("test -e /var/cache/apod-mirror").code != 0)
                #expect(try await run("id apod-mirror").code == 0)

                // The mirror continues after the installation, which replaces no link to settings on a disk that is away.
                let settings = "/etc/default/apod-mirror"
                #expect(try await run("ln --symbolic /mnt/away/settings \(settings)").code == 0)
                let again = try await run("dpkg --install \(Machine.packageInside)")
                #expect(again.code == 0, "\(again)")
                #expect(try await run("readlink \(settings)").output == "/mnt/away/settings\n")
                // What a person does next.
                for hint in [
                    InstalledService.root, "usermod -aG apod-favorites", "APOD_MIRROR_SINCE=all",
                ] {
                    #expect(again.output.contains(hint), "\(again)")
                }
                #expect(try await service.property("ActiveState") == "active")
                #expect(try service.tree().treasure == before)
            }
        }

        @Test func aHangingServiceIsRestartedWithoutLoss() async throws {
            try await withService { service in
                let day = Site.day(3)
                try await service.favor(day)
                try await service.configure("WatchdogSec=4s\nRestartSec=100ms")
                try await service.machine.run("systemctl restart apod-mirror")
                let before = try service.tree().treasure
                let pid = try await service.property("MainPID")
                let journal = try await service.newJournal()

                try await service.machine.run("kill -STOP \(pid)")
                try await journal.output.wait(for: "Watchdog timeout")
                try await journal.output.wait(for: "Started apod-mirror.service")

                #expect(try await service.property("NRestarts") == "1")
                #expect(try await service.property("MainPID") != pid)
                #expect(try await service.property("ActiveState") == "active")
                #expect(try service.tree().treasure == before)
            }
        }

        // MARK: Its files, which do not depend on where it was built

        /// Runs a program, and returns what it prints.
        @discardableResult private func run(_ words: String...) async throws -> String {
            let ending = try await Program.run(words)
            #expect(ending.code == 0, "\(ending)")
            return ending.output
        }

        @Test func thePackageRecommendsNothingAndDependsOnWhatItNeeds() async throws {
            let package = try #require(Machine.package)
            let dependencies = try await run("dpkg-deb", "--field", package, "Depends")

            let recommended = try await run("dpkg-deb", "--field", package, "Recommends")
            #expect(recommended.split(separator: "\n").isEmpty, "\(recommended)")
            for name in ["ca-certificates", "libcurl", "libxml2"] {
                #expect(dependencies.contains(name), "\(dependencies)")
            }
        }

        /// `make reproducible` compares two builds; this is what differed between them.
        @Test func noFileHasThePathOfItsBuild() async throws {
            let package = try #require(Machine.package)
            try await withTemporaryFolder { folder in
                try await run("dpkg-deb", "--raw-extract", package, "\(folder)/package")
                let search = ["grep", "--recursive", "--text", "--count", "--fixed-strings"]
                let ending = try await Program.run(search + [Machine.source, "\(folder)/package"])
                let counts = ending.output.split(separator: "\n")

                #expect(counts.count > 30)
                #expect(counts.filter { !$0.hasSuffix(":0") } == [])
            }
        }
    }
}
