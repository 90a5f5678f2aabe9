import Simulator
import Testing

extension UnderSystemd {
    /// The examples that act on a new picture, and the command of `--on-new`.
    ///
    /// Programs that record their input replace mail(1) and notify-send(1).
    @Suite(.sharedService, .timeLimit(.minutes(10))) struct NewPictureTests {
        /// The first lines of each test, which end in the folder of the examples.
        private static let functions = """
            set -e
            # Replaces a file as the mirror does.
            publish() { cp -p "$1/latest.json" "$1/.new" && mv "$1/.new" "$1/latest.json"; }
            # Waits until a command succeeds, at most ten minutes.
            await() { for try in $(seq 6000); do "$@" && return; sleep 0.1; done; return 1; }
            record() { printf '#!/bin/sh\\necho "$@" >> %s\\n[ "$1" != -s ] || cat >> %s\\n' "$2" "$2" > "/usr/local/bin/$1"
                chmod 755 "/usr/local/bin/$1"; : > "$2"; chmod 666 "$2"; }
            await test -e \(InstalledService.root)/latest.json
            cd /usr/share/doc/apod-mirror/examples
            """

        @Test func theUnitOfTheSystemReportsADayOnce() async throws {
            let service = try #require(SharedService.current)
            let ending = try await service.machine.run(
                """
                \(Self.functions)
                finished() { [ "$(journalctl --unit=apod-mirror-picture --output=cat | grep -c ^Finished)" = "$1" ]; }
                cp apod-mirror-picture.path apod-mirror-picture.service /etc/systemd/system
                record mail /run/mail
                systemctl daemon-reload
                systemd-analyze verify apod-mirror-picture.path apod-mirror-picture.service
                systemctl start apod-mirror-picture.path
                publish \(InstalledService.root); await finished 1
                publish \(InstalledService.root); await finished 2
                systemctl stop apod-mirror-picture.path
                grep -c '^\(Site.today)  ' /run/mail
                """)

            #expect(ending.code == 0 && ending.output == "1\n", "\(ending)")
        }

        @Test func theUnitFitsThePictureToAScreenBesideTheMirror() async throws {
            let service = try #require(SharedService.current)
            let ending = try await service.machine.run(
                """
                \(Self.functions)
                cp apod-mirror-screen.* /etc/systemd/system
                systemctl daemon-reload
                systemd-analyze verify apod-mirror-screen.path apod-mirror-screen.timer apod-mirror-screen.service
                systemctl start apod-mirror-screen.path
                publish \(InstalledService.root); await test -s \(InstalledService.root)/screen/screen.jpg
                systemctl stop apod-mirror-screen.path
                vipsheader \(InstalledService.root)/screen/screen.jpg
                """)

            #expect(ending.code == 0 && ending.errors == "", "\(ending)")
            #expect(ending.output.contains("1920x1080 uchar, 3 bands, srgb"), "\(ending)")
        }

        @Test func theUnitOfAUserReportsADay() async throws {
            let service = try #require(SharedService.current)
            let ending = try await service.machine.run(
                """
                \(Self.functions)
                units=~ada/.config/systemd/user; mirror=~ada/Pictures/APOD
                mkdir -p $units ~ada/Pictures; cp -a \(InstalledService.root) $mirror
                for type in path service; do
                    cp apod-mirror-picture.user.$type $units/apod-mirror-picture.$type
                done
                record notify-send /tmp/note
                chown -R ada: ~ada
                systemctl start user@$(id -u ada).service
                user() { runuser -u ada -- env XDG_RUNTIME_DIR=/run/user/$(id -u ada) systemctl --user "$@"; }
                user start apod-mirror-picture.path
                publish $mirror; await test -s /tmp/note
                user stop apod-mirror-picture.path
                systemctl stop user@$(id -u ada).service
                cat /tmp/note
                """)

            #expect(ending.code == 0, "\(ending)")
            #expect(
                ending.output.contains("Astronomy Picture of the Day \(Site.today)  "), "\(ending)")
        }

        /// As the manual says: the command is in a file of root, which a drop-in names.
        @Test func theServiceRunsTheCommandOfADropIn() async throws {
            let service = try #require(SharedService.current)
            let (root, simulator) = (InstalledService.root, service.site.simulator)
            defer { simulator.newest = Site.today }
            simulator.newest = Site.day(1)
            // What the sandbox forbids, and what it permits.
            let command = """
                { touch /etc/apod /home/apod || [ -r /etc/apod-mirror.secret ]; } 2>/dev/null && echo escaped; \
                touch said && [ -s "$APOD_PICTURE" ] && echo "$(id -un): $APOD_LINE" # s3cr3t
                """
            let start = try await service.machine.run(
                """
                \(Self.functions)
                systemctl stop apod-mirror
                # A new mirror.
                rm -rf \(root)/* \(root)/.apod-mirror /var/cache/apod-mirror/*
                cat > /etc/apod-mirror.secret <<'END'
                APOD_MIRROR_ON_NEW='\(command)'
                END
                chmod 600 /etc/apod-mirror.secret
                mkdir -p /etc/systemd/system/apod-mirror.service.d
                printf '[Service]\\nEnvironmentFile=/etc/apod-mirror.secret\\n' \
                    > /etc/systemd/system/apod-mirror.service.d/on-new.conf
                systemctl daemon-reload
                """)
            #expect(start.code == 0, "\(start)")
            var journal = try await service.newJournal()
            try await service.machine.run("systemctl start apod-mirror")

            try await journal.output.wait(
                for: "--on-new: done, for \(Site.day(1)): apod-mirror: \(Site.day(1))  ")
            let found = try await service.machine.read(
                """
                cd \(root); test -e said || echo nothing is written
                journalctl | grep -c s3cr3t; grep -rc s3cr3t . | grep -v ':0$'
                """)
            #expect(found == "0", "\(found)")

            // A command that does not end does not delay the end of the service.
            simulator.newest = Site.today
            journal = try await service.newJournal()
            let stop = try await service.machine.run(
                """
                \(Self.functions)
                echo "APOD_MIRROR_ON_NEW='trap : TERM; touch hangs; while :; do sleep 600; done'" > /etc/apod-mirror.secret
                systemctl restart apod-mirror
                await test -e \(root)/hangs
                systemctl stop apod-mirror
                systemctl show --property=Result --value apod-mirror
                pgrep -u apod-mirror || echo none
                rm /etc/systemd/system/apod-mirror.service.d/on-new.conf /etc/apod-mirror.secret \(root)/hangs \(root)/said
                systemctl daemon-reload
                systemctl start apod-mirror
                """)
            #expect(stop.code == 0 && stop.output == "success\nnone\n", "\(stop)")
            try await journal.output.wait(for: "--on-new: stopped, again with the next sync")
        }
    }
}
