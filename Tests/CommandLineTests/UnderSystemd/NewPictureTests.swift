import Testing

extension UnderSystemd {
    /// The examples that act on a new picture.
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
    }
}
