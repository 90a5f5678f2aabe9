import APOD
import Mirror
import Testing

extension UnderSystemd {
    /// A unit that cannot run reports the reason once, and is not restarted.
    @Suite(.timeLimit(.minutes(10))) struct BadStartTests {
        /// A wrong configuration, the commands that cause it, and its result.
        struct Case: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let lines: String
            let code: Int32
            let words: [String]

            init(_ name: String, _ code: Int32, _ lines: String, says words: String...) {
                testDescription = name
                self.code = code
                self.lines = lines
                self.words = words
            }
        }

        private static let disk = "/mnt/disk/apod"

        /// A mirror on another disk, by the example for it.
        private static let moved = """
            mkdir -p /mnt/disk && mount -t tmpfs disk /mnt/disk
            install -d --owner=apod-mirror --group=apod-mirror \(disk)
            install -D --target-directory=/etc/systemd/system/apod-mirror.service.d \
                /usr/share/doc/apod-mirror/examples/other-disk.conf
            systemctl daemon-reload
            systemctl start apod-mirror && systemctl stop apod-mirror

            """

        static let cases = [
            Case(
                "the disk is away", 4, moved + "umount /mnt/disk", says: disk, "was a mirror",
                "mount"),
            Case(
                "wrong owner", 4, moved + "chown -R root: \(disk)", says: disk,
                "write permission"),
            Case(
                "a wrong option", 2, "echo APOD_MIRROR_JOBS=many >> /etc/default/apod-mirror",
                says: "APOD_MIRROR_JOBS", "many"),
            Case(
                "in use", 5,
                """
                systemd-run --quiet --unit=other --uid=apod-mirror --service-type=notify \
                    --property=EnvironmentFile=/etc/default/apod-mirror \
                    --setenv=XDG_STATE_HOME=/var/cache \
                    apod-mirror run --root \(InstalledService.root)
                """, says: "in use by another"),
        ]

        @Test(arguments: cases) func aBadStartIsReportedOnceAndNotRetried(_ case: Case) async throws
        {
            try await withService { service in
                try await service.machine.run("systemctl stop apod-mirror")
                let arranged = try await service.machine.run(`case`.lines)
                #expect(arranged.code == 0, "\(arranged)")
                let before = try await service.sentences()

                let ending = try await service.machine.run("systemctl start apod-mirror")
                let said = try await service.sentences().dropFirst(before.count)

                #expect(ending.code != 0)
                #expect(said.count == 1, "\(said)")
                for word in `case`.words { #expect(said.last?.contains(word) == true, "\(said)") }
                try await service.expectRest(code: `case`.code)
            }
        }

        @Test func anUnreadableCredentialOfADropInIsReported() async throws {
            try await withService { service in
                try await service.configure("LoadCredential=other:/etc/apod-mirror/other")
                let journal = try await service.newJournal()
                try await service.machine.run("systemctl restart apod-mirror")

                try await journal.output.wait(for: "Failed to set up credentials")
                try await service.expectRest(code: 243)
            }
        }

        @Test func aWrongOwnerOfTheMirrorIsCorrected() async throws {
            try await withService { service in
                let day = Site.day(3)
                try await service.machine.run(
                    """
                    systemctl stop apod-mirror
                    chown --recursive root:root \(InstalledService.root)
                    systemctl start apod-mirror
                    """)

                #expect(try await service.property("ActiveState") == "active")
                try await service.favor(day)
            }
        }

        @Test func aLinkInPlaceOfTheMirrorIsNamed() async throws {
            try await withService { service in
                let ending = try await service.machine.run(
                    """
                    systemctl stop apod-mirror
                    mv \(InstalledService.root) /srv/apod && ln -s /srv/apod \(InstalledService.root)
                    systemctl start apod-mirror
                    cd / && apod-mirror status
                    """)

                #expect(try await service.property("ActiveState") == "failed")
                #expect(ending.code == 1, "\(ending)")
                #expect(ending.output.contains("is a link, which systemd refuses"), "\(ending)")
            }
        }

        @Test func anUnmountedDiskPreventsTheStart() async throws {
            try await withService { service in
                let ending = try await service.machine.run(
                    """
                    systemctl stop apod-mirror
                    \(Self.moved)
                    umount /mnt/disk
                    printf '[Mount]\\nWhat=/gone.img\\nWhere=/mnt/disk\\nType=ext4\\n' \
                        > /etc/systemd/system/mnt-disk.mount
                    systemctl daemon-reload
                    systemctl start apod-mirror
                    """)

                #expect(ending.errors.contains("dependency"), "\(ending)")
                #expect(try await service.property("ActiveState") == "inactive")
                #expect(try await service.property("NRestarts") == "0")
            }
        }
    }
}

extension InstalledService {
    /// The errors that the daemon has logged.
    fileprivate func sentences() async throws -> [Substring] {
        try await machine.read(
            "journalctl --sync; journalctl --output=cat --identifier=apod-mirror --priority=err"
        ).split(separator: "\n")
    }

    /// Expects that it has exited with `code`, without a pending restart.
    fileprivate func expectRest(code: Int32) async throws {
        #expect(try await property("ExecMainStatus") == "\(code)")
        // A unit that waits for a restart is “activating”.
        #expect(try await property("ActiveState") == "failed")
        #expect(try await property("NRestarts") == "0")
    }
}
