import APOD
import Simulator
import Testing

/// The service as installed by the Debian package, in a container, with a simulator.
struct InstalledService: Sendable {
    static let root = "/var/lib/apod-mirror"

    let site: Site
    let machine: Machine

    /// The settings of the service, as its environment has them.
    private var environment: String {
        """
        APOD_MIRROR_UPSTREAM=\(site.simulator.basicAddress)
        APOD_MIRROR_FEED=basic
        APOD_MIRROR_SINCE=10d
        APOD_MIRROR_PACE=0s
        APOD_MIRROR_MIN_FREE=0
        """
    }

    /// Installs the package, which starts it.
    func install() async throws {
        let ending = try await machine.run(
            """
            set -e
            # Images of containers forbid packages to start services.
            rm -f /usr/sbin/policy-rc.d
            # Some of them leave out manual pages and examples besides.
            rm -f /etc/dpkg/dpkg.cfg.d/*
            # The index of all manual pages takes longer than all else here.
            rm -f /var/lib/man-db/auto-update
            echo '\(environment)' > /etc/default/apod-mirror
            dpkg --install \(Machine.packageInside)
            useradd --create-home ada
            useradd --create-home eve
            usermod --append --groups apod-favorites ada
            systemctl is-active apod-mirror
            """)
        try #require(ending.code == 0, "\(ending)")
    }

    /// The journal of the unit from now on.
    func newJournal() async throws -> Program {
        // Of an entry of the unit: journalctl 252.39 skips one more after that of another entry.
        let cursor = try await machine.read(
            "journalctl --unit=apod-mirror --lines=0 --show-cursor --quiet")
        return try journal("--after-cursor=\(cursor.dropFirst("-- cursor: ".count))")
    }

    /// The journal of the unit.
    func journal(_ option: String = "--lines=all") throws -> Program {
        try machine.start(
            "exec journalctl --follow --output=cat --unit=apod-mirror '\(option)'")
    }

    /// A property of the unit, as the service manager has it now.
    func property(_ name: String) async throws -> String {
        try await machine.read("systemctl show --property=\(name) --value apod-mirror")
    }

    /// Whether `systemctl status` shows `text`, shortly after the journal.
    func statusContains(_ text: String) async throws -> Bool {
        let ending = try await machine.run(
            """
            for try in $(seq 6000); do
                systemctl show --property=StatusText --value apod-mirror | grep --quiet '\(text)' && exit 0
                sleep 0.1
            done
            exit 1
            """)
        return ending.code == 0
    }

    /// Adds lines to the section [Service] of the unit.
    func configure(_ lines: String) async throws {
        try await machine.run(
            """
            mkdir -p /etc/systemd/system/apod-mirror.service.d
            printf '[Service]\\n%s\\n' '\(lines)' > /etc/systemd/system/apod-mirror.service.d/test.conf
            systemctl daemon-reload
            """)
    }

    /// Runs a shell script as a user, in the directory of the mirror.
    func run(as user: String, _ lines: String) async throws -> Ending {
        try await machine.run(
            """
            cd \(Self.root) && exec runuser --user \(user) -- sh -c '\(lines)'
            """)
    }

    /// Creates a link to the picture of `day` as a user, and waits until it is a favorite.
    func favor(_ day: Day, as user: String = "ada") async throws {
        let journal = try await newJournal()
        let link = "ln -s \(Self.root)/pictures/*/*/\(day)* favorites/"
        let ending = try await run(as: user, link)
        #expect(ending.code == 0, "\(ending)")
        try await journal.output.wait(for: "\(day) added to favorites")
    }

    /// The contents of the mirror.
    func tree() throws -> TreeImage { try machine.tree(Self.root) }
}

/// Runs `body` with a service that has mirrored the ten days of a simulator.
nonisolated(nonsending) func withService(
    _ body: nonisolated(nonsending) (InstalledService) async throws -> Void
) async throws {
    try await withSite { site in
        let machine = try await Machine.boot(in: site.folder)
        let service = InstalledService(site: site, machine: machine)
        do {
            try await service.install()
            let journal = try service.journal()
            try await journal.output.wait(for: "downloaded ")
            withExtendedLifetime(journal) {}
            try await body(service)
        } catch {
            let journal = try? await machine.read("journalctl --output=cat --unit=apod-mirror")
            Issue.record("\(journal ?? "The journal cannot be read.")")
            try? await machine.halt()
            throw error
        }
        try await machine.halt()
    }
}

/// One service for all tests of a suite.
struct SharedService: SuiteTrait, TestScoping {
    @TaskLocal static var current: InstalledService?

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withService { service in
            try await Self.$current.withValue(service) { try await body() }
        }
    }
}

extension Trait where Self == SharedService {
    static var sharedService: Self { Self() }
}
