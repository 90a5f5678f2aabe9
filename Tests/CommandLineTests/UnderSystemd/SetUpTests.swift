import APOD
import Testing

extension UnderSystemd {
    /// The first hour under every set-up that the documents name, by their own recipes: favorites, restarts, status.
    ///
    /// The daemon sees other directories, users and paths than the people.
    @Suite(.timeLimit(.minutes(30))) struct SetUpTests {
        /// A set-up of the service.
        struct SetUp: Sendable, CustomTestStringConvertible {
            let testDescription: String
            /// The mirror, as people see it.
            var root = "/home/ada/Pictures/APOD"
            /// The lines that move the service there and start it.
            let lines: String
            /// Whether it has members beside ada.
            var hasMembers = true
            /// The line before a command of ada.
            var entrance = "runuser --user ada -- env HOME=/home/ada"
            var program = "apod-mirror"
            /// The manager of the service.
            var systemctl = "systemctl"
            /// The settings of the service.
            var settings = "/etc/default/apod-mirror"
            /// Whether commands can ask the manager of the service.
            var seesManager = true
        }

        /// An entrance with the session of ada.
        private static let session =
            "runuser --user ada -- env HOME=/home/ada XDG_RUNTIME_DIR=/run/user/$(id --user ada)"

        private static let examples = "/usr/share/doc/apod-mirror/examples"

        /// The lines of a drop-in that a person runs once.
        private static func recipe(of dropIn: String) -> String {
            """
            install -D --target-directory=/etc/systemd/system/apod-mirror.service.d \(examples)/\(dropIn)
            sed -n 's/^#   //p' \(examples)/\(dropIn) > /tmp/recipe && sh -ex /tmp/recipe

            """
        }

        /// The commands of docs/install.md with `part`, as a person runs them who may use sudo(8); `apt` installs the package
        /// that is tested.
        private static func commands(with part: String) -> String {
            let block =
                (try? Document("docs/install.md").block(with: part)) ?? "no block with \(part)\n"
            return """
                sudo() { "$@"; }
                wget() { :; }
                apt() { dpkg --install \(Machine.packageInside); }
                HOME=/home/ada USER=ada

                """ + block.replacing("SINCE=730d", with: "SINCE=10d")
        }

        static let setUps = [
            SetUp(testDescription: "the default unit", root: InstalledService.root, lines: ""),
            SetUp(
                testDescription: "other-disk.conf", root: "/mnt/disk/apod",
                lines: "mkdir -p /mnt/disk && mount -t tmpfs disk /mnt/disk\n"
                    + recipe(of: "other-disk.conf")),
            SetUp(
                testDescription: "other-disk.conf, and a link there", root: "/mnt/disk/apod",
                lines: """
                    systemctl stop apod-mirror; rm -r \(InstalledService.root)
                    ln -s /mnt/disk/apod \(InstalledService.root)
                    mkdir -p /mnt/disk && mount -t tmpfs disk /mnt/disk

                    """ + recipe(of: "other-disk.conf")),
            SetUp(
                testDescription: "home-folder.conf",
                lines: "chmod 700 /home/ada\n" + recipe(of: "home-folder.conf")),
            SetUp(
                testDescription: "the user unit",
                lines: """
                    systemctl stop apod-mirror; rm -r \(InstalledService.root)
                    chmod 700 /home/ada
                    systemctl start user@$(id --user ada).service
                    install -D --owner=ada /etc/default/apod-mirror /home/ada/.config/apod-mirror/environment
                    \(session) systemctl --user start apod-mirror
                    """, hasMembers: false, entrance: session,
                systemctl: "\(session) systemctl --user",
                settings: "/home/ada/.config/apod-mirror/environment"),
            SetUp(
                testDescription: "a folder that belongs to a person", root: "/srv/media/APOD",
                lines: """
                    cp /etc/default/apod-mirror /tmp/settings
                    dpkg --purge apod-mirror; rm -r \(InstalledService.root)
                    cp /tmp/settings /etc/default/apod-mirror
                    install -d -o ada -g ada /srv/media

                    """ + commands(with: "mv -T /var/lib")),
            SetUp(
                testDescription: "the user unit, in another folder", root: "/srv/media/APOD",
                lines: """
                    systemctl mask --now apod-mirror; rm -r \(InstalledService.root)
                    install -d -o ada -g ada /srv/media
                    systemctl start user@$(id --user ada).service
                    install -D --owner=ada /etc/default/apod-mirror /home/ada/.config/apod-mirror/environment

                    """ + commands(with: "APOD_MIRROR_ROOT=/srv/media")
                        + "\(session) systemctl --user start apod-mirror",
                hasMembers: false, entrance: session, systemctl: "\(session) systemctl --user",
                settings: "/home/ada/.config/apod-mirror/environment"),
            SetUp(
                testDescription: "the portable archive", root: InstalledService.root,
                lines: """
                    # A mirror that the service knows and that is empty is taken for a disk that is not mounted.
                    dpkg --remove apod-mirror; rm -r \(InstalledService.root) /var/cache/apod-mirror
                    make --no-print-directory --directory \(Machine.sourceInside) SWIFT=true \
                        portable PORTABLE=/root/portable
                    /root/portable/install.sh
                    systemd-sysusers && systemctl daemon-reload && systemctl enable --now apod-mirror
                    """, program: "/usr/local/bin/apod-mirror"),
            // The name spaces of one: another path, no other users, no home directories.
            SetUp(
                testDescription: "a container",
                lines: """
                    systemctl stop apod-mirror; rm -r \(InstalledService.root)
                    chmod 700 /home/ada
                    install -d -o ada -g ada /home/ada/Pictures /home/ada/Pictures/APOD /var/container
                    cat > /etc/systemd/system/apod-mirror.service <<END
                    [Unit]
                    # As containers, whose restarts nobody counts.
                    StartLimitIntervalSec=0
                    [Service]
                    Type=notify
                    ExecStart=/usr/bin/apod-mirror run
                    SyslogIdentifier=apod-mirror
                    User=ada
                    EnvironmentFile=/etc/default/apod-mirror
                    Environment=APOD_MIRROR_ROOT=/mirror XDG_STATE_HOME=/state
                    PrivateUsers=yes
                    NoNewPrivileges=yes
                    ProtectSystem=strict
                    TemporaryFileSystem=/home /root /srv
                    BindPaths=/home/ada/Pictures/APOD:/mirror /var/container:/state
                    END
                    systemctl daemon-reload; systemctl start apod-mirror
                    """, hasMembers: false,
                entrance: """
                    nsenter --target $(systemctl show --property=MainPID --value apod-mirror) --mount --user \
                        --setuid $(id --user ada) --setgid $(id --group ada) env APOD_MIRROR_ROOT=/mirror
                    """, seesManager: false),
        ]

        @Test(arguments: setUps) func theFirstHourWorks(setUp: SetUp) async throws {
            let others = "useradd --create-home bob; usermod --append --groups apod-favorites bob"
            try await withService { service in
                let place = Place(machine: service.machine, setUp: setUp)
                try await place.logs(
                    "downloaded ", after: setUp.lines.isEmpty ? "true" : setUp.lines)
                try await place.succeeds(others)

                try await place.linksOfPeopleStay()
                try await place.commandsUseTheMirrorOfTheService()
                try await place.collectionsAreShared()
                try await place.aRecreatedFolderIsShared()
                try await place.aPersonRestartsItAsOftenAsTheyLike()
                try await place.statusIsThatOfTheService()
            }
        }

        /// Also a disk that a person or a script mounts long after the boot.
        @Test(arguments: ["nofail", "noauto,nofail"])
        func eachMountOfTheDiskStartsTheService(options: String) async throws {
            try await withService { service in
                let ending = try await service.machine.run(
                    """
                    set -e
                    mkdir -p /srv/disk /mnt/disk && mount --bind /srv/disk /mnt/disk
                    \(Self.recipe(of: "other-disk.conf"))
                    echo '/srv/disk /mnt/disk none bind,\(options) 0 0' >> /etc/fstab
                    \(Self.commands(with: "WantedBy="))
                    for try in 1 2; do
                        systemctl stop apod-mirror
                        umount /mnt/disk
                        # systemd would not notice an unmount that is undone at once.
                        timeout 60 sh -c 'while systemctl is-active --quiet mnt-disk.mount; do sleep 0.1; done'
                        mount --bind /srv/disk /mnt/disk
                        timeout 60 sh -c 'until systemctl is-active --quiet apod-mirror; do sleep 0.1; done'
                    done
                    ls /srv/disk/apod/favorites
                    """)

                #expect(ending.code == 0, "\(ending)")
            }
        }
    }
}

/// A set-up in a machine.
private struct Place {
    let machine: Machine
    let setUp: UnderSystemd.SetUpTests.SetUp

    private var root: String { setUp.root }
    /// A second person who may create links.
    private var member: String { setUp.hasMembers ? "bob" : "ada" }

    func succeeds(_ lines: String) async throws {
        let ending = try await machine.run("set -e\n\(lines)")
        #expect(ending.code == 0, "\(setUp.testDescription): \(lines): \(ending)")
    }

    /// Runs the lines, and waits until the daemon has logged `text` afterwards.
    func logs(_ text: String, after lines: String) async throws {
        let cursor = try await machine.read(
            "journalctl --identifier=apod-mirror --lines=0 --show-cursor --quiet")
        let journal = try machine.start(
            "exec journalctl --follow --output=cat --identifier=apod-mirror '--after-cursor="
                + "\(cursor.dropFirst("-- cursor: ".count))'")
        if lines != "true" {
            try await succeeds(lines)
            try await journal.output.wait(for: text)
        }
        withExtendedLifetime(journal) {}
    }

    private func shell(_ user: String, _ line: String) -> String {
        "cd / && runuser --user \(user) -- sh -ec 'umask 077; \(line)'"
    }

    /// Creates a link in `favorites/` as a user.
    private func link(_ day: Day, as user: String, in collection: String = "") async throws {
        try await logs(
            "\(day) added to favorites",
            after: shell(user, "ln -s \(root)/pictures/*/*/\(day)* \(root)/favorites/\(collection)")
        )
    }

    /// The target exists, and only its owner sees it.
    func linksOfPeopleStay() async throws {
        let photo = "/home/ada/Photos/2026/2026-11/\(Site.day(8))_123456.jpg"
        try await succeeds(
            shell(
                "ada",
                "mkdir -p $(dirname \(photo)); echo mine > \(photo); ln -s \(photo) \(root)/favorites/holiday.jpg"
            ))
        // The scan after this link has seen the other one, too.
        try await link(Site.day(1), as: "ada")

        try await succeeds(
            "[ \"$(readlink \(root)/favorites/holiday.jpg)\" = \(photo) ]\n"
                + shell("ada", "[ \"$(cat \(root)/favorites/holiday.jpg)\" = mine ]"))
    }

    func commandsUseTheMirrorOfTheService() async throws {
        try await logs(
            "\(Site.day(2)) added to favorites",
            after: "cd / && \(setUp.entrance) \(setUp.program) favorites add \(Site.day(2))")
        try await succeeds("ls \(root)/favorites/ | grep --quiet \(Site.day(2))")
        guard setUp.hasMembers else { return }
        let bob = "cd / && runuser --user bob -- env HOME=/home/bob \(setUp.program)"
        try await logs(
            "\(Site.day(3)) added to favorites", after: "\(bob) favorites add \(Site.day(3))")
        // Requests to the daemon are its own, links are not; root finds the mirror, too, where the home directory around
        // it is closed.
        try await succeeds(
            """
            \(bob) favorites remove \(Site.day(3))
            ! ls \(root)/favorites/ | grep --quiet \(Site.day(3))
            cd / && \(setUp.program) status | grep --quiet \(root)
            """)
    }

    func collectionsAreShared() async throws {
        try await succeeds(shell("ada", "mkdir -p \(root)/favorites/best"))
        try await link(Site.day(4), as: member, in: "best/")
        // The daemon may write there, too: it repairs a dangling link.
        try await logs(
            "repaired favorites/best/x",
            after: shell(
                member, "ln -s ../../pictures/elsewhere/\(Site.day(5)).jpg \(root)/favorites/best/x"
            ))
    }

    func aRecreatedFolderIsShared() async throws {
        try await logs("created again", after: "rm -r \(root)/favorites")

        try await link(Site.day(6), as: member)
        try await link(Site.day(7), as: member, in: "best/")
        try await succeeds(shell("ada", "mkdir \(root)/favorites/more"))
        try await link(Site.day(9), as: member, in: "more/")
    }

    func aPersonRestartsItAsOftenAsTheyLike() async throws {
        try await succeeds(
            """
            for try in 1 2 3 4 5 6 7; do \(setUp.systemctl) restart apod-mirror; done
            \(setUp.systemctl) is-active --quiet apod-mirror
            """)
    }

    /// All days that its settings want are there; with a wrong setting, it fails and `status` says so.
    func statusIsThatOfTheService() async throws {
        let status = "cd / && \(setUp.entrance) \(setUp.program) status"
        try await succeeds(
            "\(status) --json | grep --quiet '\"health\": \"ok\"'\n\(status) >/dev/null")
        guard setUp.seesManager else { return }

        try await succeeds(
            """
            cp \(setUp.settings) /tmp/settings
            echo APOD_MIRROR_JOBS=many >> \(setUp.settings)
            if \(setUp.systemctl) restart apod-mirror; then exit 98; fi
            if \(status) >/tmp/status; then exit 99; fi
            grep --quiet 'the service has failed' /tmp/status
            cat /tmp/settings > \(setUp.settings)
            \(setUp.systemctl) restart apod-mirror
            """)
    }
}
