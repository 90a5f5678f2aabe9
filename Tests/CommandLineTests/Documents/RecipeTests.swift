import APOD
import Glibc
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    /// What the drop-ins for other directories tell root to run once, with users and directories of this test; and a
    /// line of the documents.
    @Suite(.timeLimit(.minutes(10))) struct RecipeTests {
        private static let mayBecomeOthers =
            unsafe geteuid() == 0
            && system(
                "runuser -u daemon setfacl -- --version >/dev/null && systemd-tmpfiles --version >/dev/null"
            )
                == 0

        /// Runs the recipe of the drop-in `$3` below `$1`, where daemon is the user and the service.
        ///
        /// At the path `$4`, the user has made a link to a directory of root.
        private static let script = #"""
            set -u
            cd "$1" && chmod 755 . || exit 98
            install -d -m 700 secret && : >secret/file
            install -d -o daemon home/ada disk/apod
            [ -z "$4" ] || runuser -u daemon -- \
                sh -c 'mkdir -p "${0%/*}" && ln -s "$1" "$0"' "$4" "$1/secret" || exit 97
            sed 's/apod-mirror apod-mirror/daemon daemon/; s/:apod-mirror :/:daemon :/; s/apod-favorites/games/' \
                "$2/systemd/apod-mirror.folders.conf" >folders.conf
            sed -n 's/^#   //p' "$2/systemd/examples/$3" | sed "/^systemctl /d
                s,/usr/local/share/apod-mirror/folders.conf,$1/folders.conf,
                s,/home/ada,$1/home/ada,g; s,/mnt/disk,$1/disk,g
                s/-u ada/-u daemon/; s/user:apod-mirror/user:nobody/g; s/group:apod-favorites/group:games/g" >recipe
            state() { getfacl -R secret; stat --format='%A %u %g %s %y %z %n' secret secret/*; }
            before=$(state)
            sh -ex recipe
            code=$?
            [ "$before" = "$(state)" ] || { echo "$before"; state; exit 99; }
            exit $code
            """#

        private func run(
            _ dropIn: String, link: String = "", in folder: String
        ) async throws -> Ending {
            try await Program.run(["sh", "-c", Self.script, "sh", folder, sourceTree, dropIn, link])
        }

        /// systemd-tmpfiles(8) refuses to change what is behind such a link, but makes directories there.
        @Test(
            .enabled(if: mayBecomeOthers, "becomes other users"),
            arguments: [
                ("home-folder.conf", "home/ada/Pictures"),
                ("home-folder.conf", "home/ada/Pictures/APOD"),
                ("home-folder.conf", "home/ada/Pictures/APOD/favorites"),
                ("other-disk.conf", "disk/apod/favorites"),
            ])
        func noRecipeChangesWhatALinkOfAUserLeadsTo(dropIn: String, link: String) async throws {
            try await withTemporaryFolder { folder in
                let ending = try await run(dropIn, link: link, in: folder)

                #expect(!(97...99).contains(ending.code ?? 0), "\(ending)")
            }
        }

        /// Runs what root runs at each start of the unit in `$1/mirror`, with users and groups of this test; a person changes the
        /// rights of favorites/ in between, or deletes it.
        private static let starts = #"""
            cd "$1" && mkdir mirror && chown daemon:daemon mirror
            sed "s,/var/lib/apod-mirror,$1/mirror,; s/apod-mirror apod-mirror/daemon daemon/; s/:apod-mirror :/:daemon :/
                s/apod-favorites/games/" "$2/systemd/apod-mirror.folders.conf" >folders.conf
            sed -n '/^ExecStartPre=/,/[^\\]$/p' "$2/systemd/apod-mirror.service" |
                sed "s/^ExecStartPre=+-//; s,/var/lib/apod-mirror,$1/mirror,; s/-group apod-mirror/-group daemon/
                    s/setpriv .*init-groups/env/; s/apod-favorites/games/
                    s,/usr/local/share/apod-mirror/folders.conf,$1/folders.conf," >start
            state() {
                sh start
                [ -d mirror/favorites ] || { echo none; return; }
                stat --format='%a %U:%G' mirror/favorites
                getfacl --absolute-names --omit-header --skip-base mirror/favorites | sed -n '/^default:group:[a-z]/p'
            }
            state
            cd mirror && chmod 2770 favorites && chown nobody:users favorites && setfacl -k favorites && cd ..
            state
            setfacl -m default:group:audio:rwx mirror/favorites
            state
            # Made by the daemon again, which knows these rights.
            mkdir -p mirror/.apod-mirror/favorites && touch mirror/.apod-mirror/favorites/folder.json
            rmdir mirror/favorites
            state
            # As the sandbox lets the daemon make it, with an ACL in place of the group; its other rights stay.
            mkdir -m 770 mirror/favorites && chown daemon:daemon mirror/favorites
            state
            # By StateDirectory=, after the mirror had another owner.
            rmdir mirror/favorites && mkdir mirror/favorites && chown daemon:daemon mirror/favorites
            state
            """#

        @Test(.enabled(if: mayBecomeOthers, "sets rights as root"))
        func theRightsThatAPersonGivesToFavoritesStay() async throws {
            let new = "2775 daemon:games\ndefault:group:games:rwx\n"
            try await withTemporaryFolder { folder in
                let ending = try await Program.run([
                    "sh", "-c", Self.starts, "sh", folder, sourceTree,
                ])

                #expect(
                    ending.output == new + "2770 nobody:users\n"
                        + "2770 nobody:users\ndefault:group:audio:rwx\nnone\n"
                        + new.replacing("2775", with: "2770") + new, "\(ending)")
            }
        }

        /// The commands of docs/maintenance.md, without systemctl(1), where root is the user of the service.
        private static let move = #"""
            set -eu
            old=$1/apod new=$1/disk/apod
            mkdir -p "$1/bin" "$1/disk"
            printf '#!/bin/sh\n' >"$1/bin/systemctl"
            printf '#!/bin/sh\nexec "$@"\n' >"$1/bin/sudo"
            chmod 755 "$1"/bin/*
            PATH=$1/bin:$PATH
            sed "s,^old=.*,old=$old,; s,^new=.*,new=$new,; s,/etc/,$1/etc/,g
                s,/usr/share/doc/apod-mirror/examples,$2/systemd/examples," "$1/commands" >"$1/recipe"
            sh -eu "$1/recipe" >/dev/null
            cat "$1/etc/systemd/system/apod-mirror.service.d/other-disk.conf" |
                sed "s,$1,FOLDER,; /^#/d; /^$/d; /^\[/d"
            """#

        /// The commands of docs/maintenance.md that compare the moved mirror with the old folder.
        private static let comparison = #"""
            printf '#!/bin/sh\nexec "%s" "$@"\n' "$2" >"$1/bin/apod-mirror"
            chmod 755 "$1/bin/apod-mirror"
            sed "s,^old=.*,old=$1/apod,; s,^new=.*,new=$1/disk/apod," "$1/commands" >"$1/recipe"
            PATH=$1/bin:$PATH exec bash "$1/recipe" 2>&1
            """#

        @Test func theMirrorMovesToAnotherDiskAsTheDocumentSays() async throws {
            let document = try Document("docs/maintenance.md")
            let recipe = try document.block(with: "cp -a \"$old/.\" ")
            let comparison = try document.block(with: "\"$old/.apod-mirror\" \"$new")
            try await withMirroredSite { site in
                _ = try await site.read("favorites", "add", "latest")
                try site.write(recipe, to: "commands")

                let ending = try await Program.run([
                    "sh", "-c", Self.move, "sh", site.folder, sourceTree,
                ])

                #expect(ending.code == 0, "\(ending)")
                let lines = ending.output.split(separator: "\n")
                #expect(lines.contains("Environment=APOD_MIRROR_ROOT=FOLDER/disk/apod"))
                #expect(!lines.contains { $0.contains("/mnt/disk") || $0.contains("/var/lib") })
                let moved = "\(site.folder)/disk/apod"
                let verification = try await site.end("verify", "--root", moved)
                let list = try await site.end("favorites", "--root", moved)
                #expect(verification.code == 0, "\(verification)")
                #expect(list.output.hasPrefix("\(Site.today)"), "\(list)")
                try site.write(comparison, to: "commands")
                let compare = ["sh", "-c", Self.comparison, "sh", site.folder, Program.path]
                let equal = try await site.command(compare)
                try site.write("lost", to: "apod/favorites/note.txt")
                let different = try await site.command(compare)
                #expect(equal.code == 0 && equal.output.isEmpty, "\(equal)")
                #expect(different.output.contains("/apod/favorites: note.txt"), "\(different)")
            }
        }

        /// Runs the commands in `$1/commands` with a sudo(8) that changes no user and a systemctl(1) that only notes its word.
        private static let besideTheService = #"""
            set -eu
            mkdir "$1/bin"
            printf '#!/bin/sh\necho "$1" >>"%s/asked"\n' "$1" >"$1/bin/systemctl"
            printf '#!/bin/sh\n[ "$1" != -u ] || shift 2\nexec "$@"\n' >"$1/bin/sudo"
            printf '#!/bin/sh\nexec "%s" "$@"\n' "$2" >"$1/bin/apod-mirror"
            chmod 755 "$1"/bin/*
            sed "s,/etc/default/apod-mirror,$1/settings,; s,/var/lib/apod-mirror,$1/apod," "$1/commands" >"$1/recipe"
            PATH=$1/bin:$PATH exec sh -eu "$1/recipe"
            """#

        /// File managers make absolute links, which lead to the old folder after a move.
        @Test func absoluteLinksLeadToTheMovedMirrorAfterTheCommandOfTheDocument() async throws {
            let recipe = try Document("docs/maintenance.md").block(with: "-lname")
            try await withMirroredSite { site in
                let folder = try Directory(opening: site.root).makeDirectory("favorites/Best")
                let (first, second) = (
                    try site.picture(of: Site.day(1)), try site.picture(of: Site.day(2))
                )
                try folder.symlink("a b.jpg", to: "\(site.root)/\(first)")
                try folder.symlink("chain.jpg", to: "\(site.root)/favorites/Best/a b.jpg")
                try folder.symlink("relative.jpg", to: "../../\(second)")
                let moved = "\(site.folder)/it's moved"
                try #require(unsafe rename(site.root, moved) == 0)
                let before = try await site.end("favorites", "--root", moved)
                try site.write(
                    recipe.replacing("new=/mnt/disk/apod", with: "new=\"\(moved)\"")
                        .replacing("/var/lib/apod-mirror", with: site.root), to: "commands")

                let ending = try await site.command([
                    "sh", "-c", Self.besideTheService, "sh", site.folder, Program.path,
                ])

                #expect(ending.code == 0, "\(ending)")
                let best = "\(moved)/favorites/Best"
                let links = try await site.shell("cd \"\(best)\" && readlink *")
                #expect(
                    links.output == "\(moved)/\(first)\n\(best)/a b.jpg\n../../\(second)\n")
                #expect(before.output.contains("unrecognized: Best/chain.jpg"), "\(before)")
                let after = try await site.end("favorites", "--root", moved)
                #expect(!after.output.contains("unrecognized"), "\(after)")
            }
        }

        private static let hasRsync = unsafe system("command -v rsync >/dev/null 2>&1") == 0

        /// Here, the old disk has lost a picture, its pin and a link; a real disk fails when they are read.
        @Test(.enabled(if: hasRsync, "needs rsync"))
        func aMirrorIsCopiedFromAFailingDiskAsTheDocumentSays() async throws {
            let text = try Document("docs/maintenance.md").text
            let match = try #require(
                text.firstMatch(of: #/(?s)```sh\n( +old=\/var.*?)```/#))
            try await withMirroredSite { site in
                _ = try await site.read("favorites", "add", "\(Site.day(1))", "\(Site.day(2))")
                _ = try await site.mirror()
                let before = try await site.end("favorites", "--root", site.root)
                try site.copy("apod", to: "backup")
                _ = try await site.shell(
                    """
                    cd $APOD_MIRROR_ROOT && rm pictures/*/*/\(Site.day(1))* \
                        .apod-mirror/favorites/\(Site.day(1)).jpg favorites/\(Site.day(2))*
                    """)
                let moved = "\(site.folder)/disk/apod"
                try site.write(
                    String(match.1).replacing("new=/mnt/other/apod", with: "new=\(moved)")
                        .replacing("old=/var/lib/apod-mirror", with: "old=\(site.root)")
                        .replacing(
                            "NAME@backup-server:/srv/backup/apod/",
                            with: "\(site.folder)/backup/"
                        )
                        .replacing("/etc/", with: "\(site.folder)/etc/")
                        .replacing(
                            "/usr/share/doc/apod-mirror/examples",
                            with: "\(sourceTree)/systemd/examples"), to: "commands")

                let ending = try await site.command([
                    "sh", "-c", Self.besideTheService, "sh", site.folder, Program.path,
                ])

                #expect(ending.code == 0, "\(ending)")
                #expect(ending.output.contains("Environment=APOD_MIRROR_ROOT=\(moved)\n"))
                let verification = try await site.end("verify", "--root", moved)
                #expect(verification.code == 0, "\(verification)")
                let list = try await site.end("favorites", "--root", moved)
                #expect(list.output == before.output, "\(list)")
            }
        }

        /// Without the check of the mount, rsync would fill the disk of the system.
        @Test(.enabled(if: hasRsync, "needs rsync"), arguments: [false, true])
        func aBackupOnAnotherDiskIsMadeOnlyWhileTheDiskIsMounted(isMounted: Bool) async throws {
            let document = try Document("docs/maintenance.md")
            let check = try #require(
                document.text.firstMatch(of: #/\n *(mountpoint [^\n]+)\n/#)
            ).1
            let commands = try document.block(with: "--backup-dir=")
                .replacing("NAME@backup-server:/srv/backup/", with: "/mnt/backup/")
            try await withMirroredSite { site in
                let disk = "\(site.folder)/backup"
                try site.write("an earlier backup", to: "backup/apod/gone.txt")
                try site.write(
                    "\(check.replacing("/mnt/backup", with: isMounted ? "/" : disk))\n"
                        + commands.replacing("/mnt/backup", with: disk), to: "commands")

                let ending = try await site.command([
                    "sh", "-c", Self.besideTheService, "sh", site.folder, Program.path,
                ])

                #expect((ending.code == 0) == isMounted, "\(ending)")
                let asked = try Directory(opening: site.folder).read("asked") ?? []
                #expect(
                    String(decoding: asked, as: UTF8.self) == (isMounted ? "stop\nstart\n" : ""))
                let found = try await site.shell(
                    "cd '\(disk)' && find . -name gone.txt && find . -name '\(Site.day(1)) *'")
                #expect(found.output.contains("./apod/gone.txt") == !isMounted, "\(found)")
                #expect(found.output.contains("./apod-removed/") == isMounted, "\(found)")
                #expect(found.output.contains("./apod/pictures/") == isMounted, "\(found)")
            }
        }

        /// The service is stopped for what writes the mirror, and started again.
        @Test(arguments: [
            ("docs/troubleshooting.md", "apod-mirror run --once"),
            ("docs/maintenance.md", "apod-mirror verify --repair --root /var/lib/apod-mirror"),
            ("docs/maintenance.md", "sudo -u apod-mirror apod-mirror adopt"),
        ])
        func whatNeedsTheMirrorForItselfRunsAsTheDocumentsSay(
            document: String, command: String
        ) async throws {
            let recipe = try Document(document).block(with: command)
            try await withMirroredSite { site in
                let picture = try site.picture(of: Site.day(2))
                try site.write("", to: "apod/\(picture)")
                try site.write("no picture", to: "old/note.txt")
                try site.write(
                    recipe.replacing("/srv/wallpapers", with: "\(site.folder)/old"),
                    to: "commands")
                try site.write(
                    """
                    APOD_MIRROR_UPSTREAM=\(site.simulator.basicAddress)
                    APOD_MIRROR_SINCE=10d
                    APOD_MIRROR_MIN_FREE=0
                    APOD_MIRROR_THUMBNAILS=no
                    """, to: "settings")

                let ending = try await site.command([
                    "sh", "-c", Self.besideTheService, "sh", site.folder, Program.path,
                ])

                #expect(ending.code == 0, "\(ending)")
                let asked = try Directory(opening: site.folder).read("asked") ?? []
                #expect(String(decoding: asked, as: UTF8.self) == "stop\nstart\n")
                let verification = try await site.read("verify", "--quick")
                #expect(
                    (verification.code == 0) == (!command.hasSuffix("adopt")), "\(verification)")
            }
        }

        /// The script of “A message within an hour”, with scripts in place of the programs that send.
        ///
        /// Its unit sets STATE_DIRECTORY, which only `run` takes for the path of the mirror.
        @Test(arguments: [["curl", "msmtp"], ["curl"], ["msmtp"]])
        func aChangeOfTheMirrorIsReportedOnce(senders: [String]) async throws {
            let text = try Document("docs/notifications.md").text
            let block = try #require(
                text.firstMatch(of: #/```sh\n( +#!\/bin\/sh\n(?:.*\n)*?) +```/#)
            ).1
            var script = String(block.replacing("\n   ", with: "\n").drop { $0 == " " })
            if !senders.contains("curl") { script.replace("topic=YOUR-TOPIC", with: "topic=") }
            if !senders.contains("msmtp") { script.replace(#/\naddress=.*/#, with: "\naddress=") }
            try await withMirroredSite { site in
                try site.write(script, to: "alert")
                for program in ["curl", "msmtp"] {
                    try site.write(
                        "#!/bin/sh\n{ echo \(program); cat; echo \"$*\"; } >>sent\n",
                        to: "bin/\(program)")
                }
                try site.write(
                    """
                    #!/bin/sh
                    unset APOD_MIRROR_ROOT && cd '\(site.root)' && exec '\(Program.path)' "$@"

                    """, to: "bin/apod-mirror")
                func alert() async throws -> String {
                    let ending = try await site.shell(
                        """
                        cd '\(site.folder)' && chmod +x bin/* && rm -f sent && touch sent
                        STATE_DIRECTORY=$PWD PATH=$PWD/bin:$PATH sh alert && cat sent
                        """)
                    #expect(ending.code == 0 && ending.errors == "", "\(ending)")
                    return ending.output
                }
                #expect(try await alert() == "")

                let repair = ["verify", "--repair", "--root", site.root] + site.upstream
                let picture = try site.picture(of: Site.day(1))
                try Directory(opening: site.root).remove(picture)
                site.simulator.inject(.notFound, on: .media, times: nil)
                #expect(try await site.start(repair).end().code == 8)
                let report = try await alert()
                #expect(
                    report.ranges(of: "code 8, 0 held favorites").count == senders.count,
                    "\(report)")
                #expect(senders.allSatisfy { report.contains("\($0)\n") }, "\(report)")
                #expect(report.contains("damaged ") == senders.contains("msmtp"), "\(report)")
                #expect(try await alert() == "")

                site.simulator.clearFaults()
                #expect(try await site.start(repair).end().code == 0)
                let end = try await alert()
                #expect(end.ranges(of: "code 0, 0 held favorites").count == senders.count, "\(end)")

                guard Self.hasJQ else { return }
                let age = try Document("docs/notifications.md").block(with: "then code=0")
                script.replace(#/\n\[ "\$code" != 3 \].*/#, with: "\n\(age)")
                try site.write(script, to: "alert")
                #expect(try await alert() == "")
                try site.write(script.replacing("172800", with: "1"), to: "alert")
                let old = try await alert()
                #expect(
                    old.ranges(of: "code 0, newest day too old or unknown, 0 held").count
                        == senders.count, "\(old)")
            }
        }

        /// The script of docs/docker.md for the scheduler of a NAS, with a script in place of docker(1).
        @Test func aChangeInAContainerIsReportedOnce() async throws {
            let script = try Document("docs/docker.md").block(with: "text=$(docker exec")
                .replacing(#/\nfile=.*/#, with: "\nfile=state")
            try await withMirroredSite { site in
                try site.write(script, to: "alert")
                try site.write(
                    """
                    #!/bin/sh
                    [ ! -e down ] || { echo is not running >&2; exit 1; }
                    shift 3
                    exec '\(Program.path)' "$@" --root '\(site.root)'

                    """, to: "bin/docker")
                func alert() async throws -> String {
                    try await site.shell(
                        """
                        cd '\(site.folder)' && chmod +x bin/docker
                        PATH=$PWD/bin:$PATH sh alert && echo no change
                        """
                    ).output
                }
                let well = "apod-mirror: code 0, 0 held favorites\n"

                #expect(try await alert().hasPrefix(well))
                #expect(try await alert() == "no change\n")

                try site.write("", to: "down")
                #expect(
                    try await alert()
                        == "apod-mirror: code 1, 0 held favorites\nis not running\n")
                #expect(try await alert() == "no change\n")

                try Directory(opening: site.folder).remove("down")
                #expect(try await alert().hasPrefix(well))
            }
        }

        /// The same script with the line that repeats its message.
        @Test func aBadStateOfAContainerIsReportedEachDayIfTheScriptSaysSo() async throws {
            let document = try Document("docs/docker.md")
            let daily = try #require(
                document.text.firstMatch(of: #/\n *(\[ .*date \+%F\)")\n/#)
            ).1
            let script = try document.block(with: "text=$(docker exec")
                .replacing(#/\nfile=.*/#, with: "\nfile=state")
                .replacing(#/\nstate=.*/#) { "\($0.0)\n\(daily)" }
            try await withTemporaryFolder { folder in
                func alert(code: Int, day: String) async throws -> String {
                    try await Program.run([
                        "sh", "-c",
                        """
                        cd "$1" && mkdir -p bin && echo "$3" > bin/today
                        printf '#!/bin/sh\\nexit %s\\n' "$2" > bin/docker
                        printf '#!/bin/sh\\ncat bin/today\\n' > bin/date
                        chmod +x bin/* && printf '%s\\n' "$4" > alert
                        PATH=$PWD/bin:$PATH sh alert && echo no change
                        """, "sh", folder, "\(code)", day, script,
                    ]).output
                }
                let bad = "apod-mirror: code 9, 0 held favorites"

                for day in ["2026-11-20", "2026-11-21"] {
                    #expect(try await alert(code: 9, day: day).hasPrefix("\(bad), \(day)\n"))
                    #expect(try await alert(code: 9, day: day) == "no change\n")
                }
                for code in [0, 3] {
                    let output = try await alert(code: code, day: "2026-11-22")
                    #expect(
                        output.hasPrefix("apod-mirror: code 0, 0 held favorites\n") == (code == 0))
                }
                #expect(try await alert(code: 0, day: "2026-11-23") == "no change\n")
            }
        }

        /// A copy of a bad disk may have a damaged page of the same size and time, which `verify` does not notice.
        @Test func generatedFilesAreMadeAgainAfterTheCommandOfTheDocument() async throws {
            let text = try Document("docs/maintenance.md").text
            let match = try #require(
                text.firstMatch(of: #/\n *(cd [^\n]+ && sudo find gallery [^\n]+)\n/#))
            let list = """
                cd $APOD_MIRROR_ROOT && find gallery *.* -type f | sort && sha256sum index.html
                """
            try await withMirroredSite { site in
                let before = try await site.shell(list)
                _ = try await site.shell(
                    """
                    cd $APOD_MIRROR_ROOT && cp -p index.html ../old
                    printf XXXX | dd of=index.html bs=1 seek=9 conv=notrunc && touch -r ../old index.html
                    """)
                try site.write(String(match.1), to: "commands")
                _ = try await site.mirror()
                let damaged = try await site.shell(list)

                let ending = try await site.command([
                    "sh", "-c", Self.besideTheService, "sh", site.folder, Program.path,
                ])
                _ = try await site.mirror()

                #expect(ending.code == 0, "\(ending)")
                #expect(before.code == 0 && damaged.output != before.output, "\(damaged)")
                let after = try await site.shell(list)
                #expect(after.output == before.output, "\(after)")
            }
        }

        /// They may be the last copies of its pictures.
        @Test func damagedFilesOfADayThatWasGivenUpStayUntilAPersonDeletesThem() async throws {
            let text = try Document("docs/troubleshooting.md").text
            let match = try #require(
                text.firstMatch(of: #/\n *(cd [^\n]+ && sudo find aside [^\n]+\n[^\n]+)\n/#))
            let recipe = String(match.1)
            try await withMirroredSite { site in
                for day in [Site.day(1), Site.day(2)] {
                    try site.write("edited", to: "apod/\(site.picture(of: day))")
                }
                // It puts the originals back.
                _ = try await site.mirror()
                let root = try Directory(opening: site.root)
                _ = try root.makeDirectory("\(Layout.own)/aside")
                try root.remove(site.picture(of: Site.day(2)))
                try root.remove(Layout.recordPath(of: Site.day(2)))
                try site.write(recipe, to: "commands")
                func makeRoom() async throws -> (ending: Ending, left: Int?) {
                    let ending = try await site.command([
                        "sh", "-c", Self.besideTheService, "sh", site.folder, Program.path,
                    ])
                    return (ending, try root.folder("\(Layout.own)/damaged")?.names().count)
                }

                let first = try await makeRoom()
                _ = try await site.shell(
                    "rm -r '\(site.folder)/bin' $APOD_MIRROR_ROOT/\(Layout.own)/damaged/\(Site.day(2))*"
                )
                let second = try await makeRoom()

                #expect(first.ending.code != 0 && first.left == 2, "\(first)")
                #expect(
                    first.ending.errors.contains("\(Site.day(2)) is not in the mirror"), "\(first)")
                #expect(second.ending.code == 0 && second.left == 0, "\(second)")
            }
        }

        private static let hasJQ = unsafe system("command -v jq >/dev/null 2>&1") == 0

        /// As the document of favorites says, in place of an export and an import.
        @Test(.enabled(if: hasJQ, "needs jq")) func favoritesAreCopiedToAnotherMirror() async throws
        {
            let text = try Document("docs/favorites.md").text
            let match = try #require(text.firstMatch(of: #/`(apod-mirror favorites list [^`]+)`/#))
            let recipe = String(match.1)
            try await withMirroredSite { site in
                let other = "\(site.folder)/other"
                _ = try await site.mirror(root: other)
                let days = ["\(Site.day(1))", "\(Site.day(2))"]
                _ = try await site.read(["favorites", "add"] + days)
                let command = recipe.replacing("apod-mirror", with: "'\(Program.path)'")
                    .replacing("DIR", with: "'\(other)'")

                let ending = try await site.shell(command)

                #expect(ending.code == 0, "\(ending)")
                let list = try await site.end("favorites", "list", "--root", other)
                #expect(days.allSatisfy { list.output.contains($0) }, "\(list)")
            }
        }

        private static let hasVips = unsafe system("command -v vips >/dev/null 2>&1") == 0

        /// The script for a photo frame, which says on a stick what vips(1) was asked for; one picture has no pixels.
        @Test(.enabled(if: hasJQ, "needs jq(1)"))
        func aStickGetsTheNewestPicturesAndLosesOnlyWhatTheScriptMade() async throws {
            try await withMirroredSite { site in
                try site.rewriteRecord(of: Site.day(1)) {
                    $0.replacing(
                        "\"media_type\"", with: "\"video\": {\"url\": \"x\"}, \"media_type\"")
                }
                let broken = try site.picture(of: Site.day(2))
                try site.makeTool(
                    "vips",
                    "case $2 in *'\(broken)') exit 1 ;; esac; echo \"$4x$6\" >\"${3%%[[]*}\"")
                func days() throws -> [String] {
                    let names = try Directory(opening: site.folder).folder("a stick/APOD")?
                        .textNames()
                    return try #require(names).compactMap { name in
                        name.firstMatch(of: #/APOD-(.{10})-[0-9a-f]{8}-1920x1080\.jpg/#)
                            .map { String($0.1) }
                    }.sorted()
                }

                let absent = try await frame(of: site)
                #expect(absent.code == 1 && absent.errors.contains("is not mounted"), "\(absent)")
                let folder = try Directory(opening: site.folder)
                #expect(try folder.folder("a stick") == nil)

                let mine = [
                    "mine.jpg", "APOD/mine.jpg", "APOD/APOD-2020.jpg", "APOD/2020-01-01.jpg",
                ]
                for name in mine { try site.write("mine", to: "a stick/\(name)") }
                let old = "a stick/APOD/APOD-2020-01-01-01234567-1920x1080.jpg"
                try site.write("old", to: old)
                let first = try await frame(of: site)
                #expect(first.code == 1 && first.errors.contains(broken), "\(first)")
                #expect(try days() == ["\(Site.day(3))", "\(Site.today)"])
                #expect(try folder.status(old) == nil)

                let traces = try site.traces("a stick")
                try site.makeTool("vips", "echo >\"${3%%[[]*}\"")
                let second = try await frame(of: site)
                #expect(second.code == 0 && second.errors == "", "\(second)")
                #expect(try days() == ["\(Site.day(3))", "\(Site.day(2))", "\(Site.today)"])
                let after = try site.traces("a stick")
                #expect(traces.allSatisfy { after[$0.key] == $0.value })

                let stills = try await frame(of: site, "stills=yes")
                #expect(stills.code == 0, "\(stills)")
                #expect(try days() == ["\(Site.day(2))", "\(Site.day(1))", "\(Site.today)"])
                for name in mine { #expect(try folder.read("a stick/\(name)") != nil) }

                // A mirror that is not mounted, for example.
                let none = try await frame(of: site, "mirror='\(site.home)'")
                #expect(none.code != 0, "\(none)")
                #expect(try days().count == 3)
            }
        }

        @Test(.enabled(if: hasJQ && hasVips, "needs jq(1) and vips(1)"))
        func eachPictureOnAStickIsASmallJPEG() async throws {
            try await withSite(size: (64, 48), extras: [.formats]) { site in
                _ = try await site.mirror()
                try site.write("", to: "a stick/mounted")

                let ending = try await frame(of: site, "count=10 width=40 height=60")

                #expect(ending.code == 0 && ending.errors == "", "\(ending)")
                let types = try await site.shell(
                    "cd '\(site.folder)/a stick/APOD' && ls | wc -l && vipsheader *.jpg | sed 's/^[^:]*: //' | sort -u"
                )
                #expect(
                    types.output == "10\n40x30 uchar, 3 bands, srgb, jpegload\n", "\(types)")
            }
        }

        /// Runs the script for three pictures, with other `values`; a stick is mounted if there is anything on it.
        private func frame(of site: Site, _ values: String = "") async throws -> Ending {
            let recipe = try Document("docs/integrations.md").block(with: "vips thumbnail")
            let settings =
                "mirror='\(site.root)' stick='\(site.folder)/a stick' count=3 \(values)\n"
            try site.write(
                recipe.replacing("\nmountpoint", with: "\n\(settings)mountpoint"), to: "frame")
            try site.makeTool("mountpoint", "[ -d \"$2\" ]")
            return try await site.shell("PATH='\(site.tools)':$PATH exec sh '\(site.folder)/frame'")
        }
    }
}
