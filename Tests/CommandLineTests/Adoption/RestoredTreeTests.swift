import APOD
import Glibc
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// A mirror restored from a backup or another disk is adopted without downloads.
    @Suite(.timeLimit(.minutes(10))) struct RestoredTreeTests {
        /// A script that copies the mirror `whole` to `apod`, with its losses.
        struct Copy: CustomTestStringConvertible {
            let name: String
            let script: String

            init(_ name: String, _ script: String) {
                self.name = name
                self.script = script
            }

            var testDescription: String { name }
        }

        private static let flat =
            "cp -r whole apod; find apod/pictures -name '*.jpg' | while read -r f; do n=${f##*/}; "
        private static let emptied = "find apod/pictures -mindepth 1 -type d -empty -delete; "

        private static let forgotten =
            "rm -rf apod/.apod-mirror; find apod/metadata -name '*.json' | sort | sed 1d "
            + "| tr '\\n' '\\0' | xargs -0 rm"

        static let copies = [
            Copy("without times, as rsync -r", "cp -r whole apod"),
            Copy("tar", "mkdir apod && tar -C whole -cf - . | tar -C apod -xmf -"),
            Copy(
                "git",
                """
                cd whole && git init -q && git add -A \
                && git -c user.name=a -c user.email=a@b commit -qm a && cd .. \
                && git clone -q whole apod && rm -rf apod/.git whole/.git
                """),
            Copy("without hidden files", "cp -r whole apod && rm -rf apod/.apod-mirror"),
            Copy("without metadata", "cp -r whole apod && rm -rf apod/metadata"),
            Copy("pictures alone, without times", "mkdir apod && cp -r whole/pictures apod"),
            Copy("flat in the root", flat + "mv \"$f\" apod/\"${n%% *}\".jpg; done; " + emptied),
            Copy(
                "names of NASA's own",
                "i=0; mkdir -p whole/image/2611;"
                    + flat
                    + "i=$((i + 1)); mv \"$f\" apod/image/2611/Name_$i.jpg; done; "
                    + emptied),
            Copy(
                "dates in the root, without most records and hidden files",
                flat + "mv \"$f\" apod/\"${n%% *}\".jpg; done; " + emptied + forgotten),
        ]

        @Test(arguments: copies)
        func nothingIsDownloadedAgain(copy: Copy) async throws {
            try await withSource(days: 10) { site, whole in
                let script = "cd '\(site.folder)' && rm -rf '\(site.home)'; \(copy.script)"
                #expect(unsafe system(script) == 0)

                let ending = try await site.mirror()

                let tree = try site.tree()
                #expect(ending.code == 0, "\(ending)")
                #expect(site.media == 0)
                #expect(tree.pictures == whole.pictures)
                #expect(tree.mirrored == whole.mirrored && tree.damage == [])
                #expect(tree.incoming == [] && tree.adopted == [])
                let noons = try site.times().values.allSatisfy { $0 % 86_400 == 43_200 }
                #expect(noons)

                let before = tree.lasting
                site.simulator.resetLog()
                let again = try await site.mirror()
                #expect(again.code == 0 && site.simulator.requests.count == 1, "\(again)")
                #expect(try site.tree().lasting == before)
            }
        }

        /// As Apple's file systems decompose names.
        @Test func decomposedNamesAreRestored() async throws {
            try await withSite(days: 2) { site in
                var entry = try #require(site.simulator.entry(of: Site.today))
                entry.title = "Ångström’s Étoile"
                site.simulator.publish(entry)
                _ = try await site.mirror("--since", "2d")
                let before = try site.tree().mirrored
                let path = try site.picture(of: Site.today)
                let (folder, name) = Layout.split(path)
                let decomposed = name.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
                    switch scalar {
                    case "Å": ["A", "\u{30a}"]
                    case "ö": ["o", "\u{308}"]
                    case "É": ["E", "\u{301}"]
                    default: [scalar]
                    }
                }
                var other = String.UnicodeScalarView()
                other.append(contentsOf: decomposed)
                let month = try #require(try Directory(opening: site.root).folder(folder))
                try month.rename(name, to: month, as: String(other))
                // Strings compare equal in both forms, names on disk do not.
                #expect(try Directory(opening: site.root).status(path) == nil)
                let copied = unsafe system(
                    "cd '\(site.folder)' && mv apod original && cp -a original apod")
                #expect(copied == 0)
                site.simulator.resetLog()

                let ending = try await site.mirror("--since", "2d")

                #expect(ending.code == 0 && site.media == 0, "\(ending)")
                #expect(try site.tree().mirrored == before)
                #expect(try Directory(opening: site.root).status(path) != nil)
            }
        }

        /// Pictures of the user that name a day in some way, in a copy and after an upgrade.
        @Test(arguments: [
            "cp -r whole apod", "cp -r whole apod; rm -rf apod/.apod-mirror",
            "cp -r whole apod; rm -f apod/.apod-mirror/*.json", "mv whole apod",
            "mv whole apod; rm apod/.apod-mirror/state.json",
            "mv whole apod; sed -i 's/\"tree\" :/\"x\" :/' apod/.apod-mirror/state.json",
        ])
        func picturesOfTheUserAreNotMoved(script: String) async throws {
            try await withSource(days: 30) { site, whole in
                let copied = unsafe system(
                    "cd '\(site.folder)' && rm -rf '\(site.home)'; \(script)")
                #expect(copied == 0)
                let (missing, other) = (Site.day(19), Site.day(20))
                let month = Layout.folder(Layout.pictures, of: other)
                for day in [missing, other] {
                    let loss = "find pictures metadata -name '\(day)*' -delete"
                    #expect(unsafe system("cd '\(site.root)' && \(loss)") == 0)
                }
                let bytes = try #require(whole.files[whole.pictures[0]]) + [0]
                var paths = [
                    "\(month)/\(other).jpg", "\(month)/\(other)_edit.jpg",
                    "\(month)/My edit \(missing).jpg", "pictures/Holiday \(missing)/beach.jpg",
                    "pictures/\(missing)/beach.jpg", "pictures/\(missing) Beach.jpg",
                    "pictures/My edit \(missing).jpg", "pictures/a/\(missing).jpg",
                    "\(missing) Beach.jpg", "image/\(missing).jpg",
                    "\("\(missing)".filter { $0 != "-" }) Beach party.jpg",
                ]
                if !script.contains("rm -rf apod/.apod") && !script.contains("*.json") {
                    paths += ["pictures/\(missing).jpg", "\(missing).jpg"]
                }
                for path in paths { try site.write(bytes, to: "apod/\(path)") }
                let before = try site.traces("apod")

                let ending = try await site.mirror("--since", "30d")

                let after = try site.traces("apod")
                #expect(ending.code == 0, "\(ending)")
                for path in paths { #expect(after[path] == before[path], "\(path)") }
                #expect(site.media == 2)
                #expect(try site.tree().complete.isSuperset(of: [missing, other]))
            }
        }

        @Test func attributesAreRestored() async throws {
            try await withSource(days: 2) { site, whole in
                let path = try #require(whole.pictures.first)
                let original = try FileDescriptor(opening: "\(site.folder)/whole/\(path)", O_RDONLY)
                guard original.attribute("user.xdg.comment") != nil else { return }
                #expect(unsafe system("cd '\(site.folder)' && cp -r whole apod") == 0)

                _ = try await site.mirror("--since", "2d")

                let copy = try FileDescriptor(opening: "\(site.root)/\(path)", O_RDONLY)
                for name in ["user.xdg.origin.url", "user.xdg.referrer.url", "user.xdg.comment"] {
                    #expect(copy.attribute(name) == original.attribute(name), "\(name)")
                }
            }
        }

        /// Also the pages of videos, and with a record or without.
        @Test(arguments: ["true", "rm -rf apod/metadata", "rm -rf apod/.apod-mirror"])
        func aRestoredMirrorPassesVerification(loss: String) async throws {
            try await withSite(days: 20, extras: [.formats, .videos]) { site in
                let root = "\(site.folder)/whole"
                _ = try await site.mirror("--since", "20d", root: root)
                let script = "cd '\(site.folder)' && cp -r whole apod && \(loss)"
                #expect(unsafe system(script) == 0)
                site.simulator.resetLog()

                let ending = try await site.mirror("--since", "20d")

                let verified = try await site.end("verify", "--root", site.root)
                #expect(ending.code == 0 && site.media == 0, "\(ending)")
                #expect(verified.code == 0, "\(verified)")
                #expect(try !site.tree().redirectPages.isEmpty)
            }
        }

        /// Of days that no poll shows; `P`, `V` and `R` are a picture, the page of a video and a record.
        @Test func filesLostByTheCopyAreDownloadedAgain() async throws {
            let losses = [
                "truncate -s 900 $P", ": > $P", "rm $P", ": > $R", "truncate -s 200 $R",
                "ln -sf /etc/hostname $R", "rm $R; mkfifo $R", "rm $V",
            ]
            try await withSite(days: 40, extras: [.videos]) { site in
                let root = "\(site.folder)/whole"
                let options = ["--since", "40d", "--thumbnails", "no"]
                _ = try await site.mirror(
                    options[0], options[1], options[2], options[3], root: root)
                let whole = try TreeImage(of: root)
                for loss in losses {
                    let script = """
                        cd '\(site.folder)' && rm -rf apod && cp -r whole apod && cd apod && \
                        V=$(find pictures -name '*.html' | sort | head -n 1) && test -n "$V" && \
                        P=$(find pictures -name '*.jpg' | sort | grep -v "${V%.html}" | head -n 1) && \
                        R=$(find metadata -name '*.json' | sort | sed -n 2p) && \
                        \(loss.replacing("$P", with: "\"$P\"").replacing("$V", with: "\"$V\""))
                        """
                    #expect(unsafe system(script) == 0)

                    let ending = try await site.mirror(
                        options[0], options[1], options[2], options[3])

                    let verified = try await site.end("verify", "--root", site.root)
                    #expect(
                        ending.code == 0 && verified.code == 0, "\(loss): \(ending); \(verified)")
                    #expect(try site.tree().pictures == whole.pictures, "\(loss)")
                    #expect(try site.tree().redirectPages == whole.redirectPages, "\(loss)")
                }
            }
        }

        /// Pictures in directories by month may be those of another program.
        @Test(arguments: [
            "cp -r whole/pictures apod && touch apod/letter.txt",
            "cp -r whole/pictures apod && touch apod/pictures/party.jpg",
            "cp -r whole/pictures apod && mkdir apod/pictures/Trip",
            "cp -r whole/pictures apod && for f in apod/pictures/*/*/*; do cp \"$f\" \"${f% *}.jpg\"; done",
            "cp -r whole/pictures apod && find apod/pictures -name '*[13579] *' -delete",
            "for f in whole/pictures/*/*/*; do n=${f##*/}; cp \"$f\" apod/\"${n%% *}.jpg\"; done",
            "mkdir apod/pictures; for f in whole/pictures/*/*/*; do cp \"$f\" apod/pictures; done",
        ])
        func foreignPicturesAreNotAdopted(script: String) async throws {
            try await withSource(days: 10) { site, _ in
                #expect(unsafe system("cd '\(site.folder)' && mkdir apod && \(script)") == 0)
                let before = try site.traces("apod")

                let ending = try await site.mirror()

                #expect(ending.code == 4 && ending.errors.contains("adopt"), "\(ending)")
                #expect(try site.traces("apod") == before && site.simulator.requests.isEmpty)
            }
        }
    }
}
