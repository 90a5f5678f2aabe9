import Glibc
import Mirror
import Platform
import Testing

extension WholeProgram {
    /// File systems inside `favorites/` that never answer, as those of a dead server or of a FUSE process that hangs.
    @Suite struct HungDiskTests {
        /// Mounts such a file system at a directory and another one at a file; the shell holds both open.
        private static let mount = """
            mkdir -p usb && touch file.jpg && exec 8<>/dev/fuse 9<>/dev/fuse \
                && mount -i -t fuse -o fd=8,rootmode=40000,user_id=0,group_id=0 none usb \
                && mount -i -t fuse -o fd=9,rootmode=100000,user_id=0,group_id=0 none file.jpg || exit 99
            """
        private static let mayMount =
            unsafe geteuid() == 0
            && system("cd $(mktemp -d) && unshare -m sh -c '\(mount)' 2>/dev/null") == 0

        /// Runs a shell command beside both mounts, with `$1` for the program and its settings.
        private func run(_ command: String, in site: Site) async throws -> Ending {
            let script = """
                cd '\(site.root)/favorites' && \(Self.mount)
                program() {
                    timeout --signal=KILL 60 '\(Program.path)' "$@"
                    code=$?; [ $code = 137 ] && echo "hangs: $*" >&2; return $code
                }
                \(command)
                """
            return try await site.command(["unshare", "-m", "sh", "-c", script])
        }

        @Test(.enabled(if: mayMount, "mounts file systems in a namespace of its own"))
        func aDiskThatHangsInsideFavoritesStopsNothing() async throws {
            try await withMirroredSite { site in
                let favorites = try Directory(opening: site.root).makeDirectory("favorites")
                try favorites.symlink("inner", to: "usb/\(Site.today).jpg")
                let settings = (["run", "--once", "-q"] + site.settings()).joined(separator: " ")

                let ending = try await run(
                    """
                    program \(settings)
                    program status --root '\(site.root)' >/dev/null
                    program favorites add \(Site.today) --as mine --root '\(site.root)' >/dev/null
                    program favorites add \(Site.today) --as usb/x --root '\(site.root)' && exit 98
                    program verify --root '\(site.root)' >/dev/null
                    program doctor --root '\(site.root)' >/dev/null
                    program favorites list --json --root '\(site.root)'
                    """, in: site)

                #expect(!ending.errors.contains("hangs"), "\(ending)")
                #expect(ending.code == 0, "\(ending)")
                #expect(ending.output.contains("\"mine.jpg\""), "\(ending)")
                #expect(
                    ending.errors.contains("favorites/usb: another file system is mounted there"),
                    "\(ending)")
            }
        }

        @Test(.enabled(if: mayMount, "mounts file systems in a namespace of its own"))
        func aSignalEndsTheDaemonWhileADiskHangs() async throws {
            try await withMirroredSite { site in
                let settings = site.settings().joined(separator: " ")

                let ending = try await run(
                    """
                    exec 7<>/dev/fuse
                    mount -i -t fuse -o fd=7,rootmode=40000,user_id=0,group_id=0 none '\(site.root)/metadata'
                    timeout --preserve-status --kill-after=30 2 '\(Program.path)' run \(settings)
                    """, in: site)

                #expect(ending.code == 0, "\(ending)")
            }
        }

        /// A command in a system call that not even SIGKILL interrupts: its file system has the request, and never answers.
        @Test(.enabled(if: mayMount, "mounts file systems in a namespace of its own"))
        func aSignalEndsTheDaemonWhileItsCommandHangs() async throws {
            try await withSite(days: 1) { site in
                let settings = (["run", "--thumbnails", "no"] + site.settings())
                    .joined(separator: " ")
                // The answer to FUSE_INIT, see fuse(4): 24 bytes, no error, request 2, version 7.4.
                let version = #"\030\0\0\0\0\0\0\0\002\0\0\0\0\0\0\0\007\0\0\0\004\0\0\0"#
                let script = """
                    cd '\(site.folder)' && mkdir usb && exec 8<>/dev/fuse || exit 99
                    mount -i -t fuse -o fd=8,rootmode=40000,user_id=0,group_id=0 none usb || exit 99
                    request() { dd bs=65536 count=1 status=none <&8; }
                    request >init && printf '\(version)' >&8 || exit 99
                    '\(Program.path)' \(settings) --on-new 'exec cat \(site.folder)/usb/picture' 8>&- & daemon=$!
                    request >lookup
                    kill -TERM $daemon
                    timeout 60 tail --pid=$daemon --follow /dev/null || echo "it still runs" >&2
                    # This ends the file system.
                    exec 8>&-
                    wait $daemon
                    """

                let ending = try await site.command(["unshare", "-m", "sh", "-c", script])

                #expect(ending.code == 0, "\(ending)")
                #expect(ending.errors.contains("--on-new: stopped, "), "\(ending)")
                #expect(!ending.errors.contains("it still runs"), "\(ending)")
            }
        }
    }
}
