import Glibc
import Mirror
import Platform
import ProgramTesting
import TestSupport
import Testing

/// The example script that fits a picture to a screen.
@Suite(.timeLimit(.minutes(10))) struct ScreenTests {
    private static let script = "\(sourceTree)/systemd/examples/screen/apod-mirror-screen"

    private static let hasTools =
        unsafe access("/usr/bin/jq", X_OK) == 0 && access("/usr/bin/vips", X_OK) == 0

    @Test(arguments: [
        ["0", "screen.jpg"], ["100000x1", "screen.jpg"], ["4k", "screen.jpg"],
        ["0800x600", "screen.jpg"], ["800x600\n", "screen.jpg"], ["800x600"],
        ["800x600", "screen.gif"], ["800x600", "screen.jpg", "yesterday"],
        ["800x600", "screen.jpg", "fit=all"], ["800x600", "screen.png", "palette=fff"],
    ])
    func aWrongArgumentIsNamedAndNothingIsWritten(words: [String]) async throws {
        try await withTemporaryFolder { folder in
            let ending = try await run(words, in: folder, root: folder)

            #expect(ending.code == 2 && ending.output == "", "\(ending)")
            #expect(ending.errors.hasPrefix("apod-mirror-screen: "), "\(ending)")
            #expect(try Directory(opening: folder).textNames() == [])
        }
    }

    @Test func aMissingProgramIsNamedWithItsPackage() async throws {
        try await withTemporaryFolder { folder in
            try Directory(opening: folder).symlink("expr", to: "/usr/bin/expr")

            let ending = try await run(
                ["800x600", "screen.jpg"], in: folder, root: folder, path: folder)

            #expect(ending.code == 1, "\(ending)")
            let remedy = "apt-get install --no-install-recommends jq libvips-tools"
            #expect(ending.errors.contains(remedy), "\(ending)")
        }
    }

    /// The newest picture cannot be decoded; the title of the one before has what vips(1), Pango, a shell and printf(3)
    /// interpret.
    @Test(.enabled(if: hasTools, "needs jq(1) and vips(1)"))
    func theNewestPictureThatCanBeDecodedIsShownWithItsTitleAsText() async throws {
        try await withMirroredSite(days: 2) { site in
            let title = "-version @/etc/passwd 100%s $(touch x) [Q=1] <b>&amp;</i> \u{5E9}\u{1F680}"
            try site.write("not a picture", to: "apod/\(site.picture(of: Site.today))")
            try site.rewriteRecord(of: Site.day(1)) {
                $0.replacing("\"title\": \"", with: "\"title\": \"\(title)")
            }
            try site.makeTool(
                "vips",
                """
                [ "$1" != text ] || printf '%s' "$3" > '\(site.folder)/text'
                exec /usr/bin/vips "$@"
                """)
            try site.write("old", to: "work/screen.jpg")

            let ending = try await run(
                ["320x200", "screen.jpg", "caption=south-east"], in: "\(site.folder)/work",
                root: site.root, path: "\(site.tools):/usr/bin:/bin")

            #expect(ending.code == 0, "\(ending)")
            #expect(ending.errors.contains("cannot decode the picture of \(Site.today)"))
            #expect(!ending.errors.contains("Fontconfig"), "\(ending)")
            #expect(unsafe access(Self.script, X_OK) == 0)
            let folder = try Directory(opening: site.folder)
            #expect(try folder.folder("work")?.textNames() == ["screen.jpg"])
            let text = String(decoding: try #require(try folder.read("text")), as: UTF8.self)
            #expect(
                text.hasPrefix("<span color='white'><b>-version @/etc/passwd 100%s $(touch x)"))
            #expect(text.contains("&lt;b&gt;&amp;amp;&lt;/i&gt; \u{5E9}\u{1F680}"))
            #expect(
                try await header(of: "work/screen.jpg", in: site)
                    == "320x200 uchar, 3 bands, srgb, jpegload")
        }
    }

    private static let hasJQ = unsafe access("/usr/bin/jq", X_OK) == 0

    /// A name says nothing of what it means; a link of a member may lead to all files of the machine.
    @Test(
        .enabled(if: hasJQ, "needs jq(1)"),
        arguments: ["favorites", "favorites/mine", "newest", "wallpapers"])
    func aSourceHasTheDaysThatTheMirrorKnowsOfIt(source: String) async throws {
        try await withMirroredSite(days: 3) { site in
            let favorites = try Directory(opening: site.root).makeDirectory("favorites")
            let mine = try favorites.makeDirectory("mine")
            try Directory(opening: site.root).link(
                site.picture(of: Site.day(1)), to: mine, as: "my own name.jpg")
            try favorites.symlink("all", to: "../pictures")
            _ = try await site.mirror()
            try Directory(opening: site.root).makeDirectory("wallpapers")
                .symlink("favorite \(Site.day(1)) X.jpg", to: "../\(site.picture(of: Site.day(1)))")

            let ending = try await runWithBrokenVips(source, of: site)

            #expect(ending.code == 1, "\(ending)")
            let days = ending.errors.matches(of: #/picture of (\d{4}-\d\d-\d\d);/#)
                .map { String($0.1) }
            #expect(
                source == "newest"
                    ? days.starts(with: (0..<3).map { "\(Site.day($0))" })
                    : days == ["\(Site.day(1))"], "\(ending)")
            #expect(
                try Directory(opening: site.folder).textNames().allSatisfy { !$0.hasPrefix(".new") }
            )
        }
    }

    /// The mirror has no wallpapers/ before the first picture that fits.
    @Test(
        .enabled(if: hasJQ, "needs jq(1)"),
        arguments: ["wallpapers", "favorites", "favorites/mine"])
    func aSourceWithoutAPictureIsNoFailureOfTheUnit(source: String) async throws {
        try await withMirroredSite(days: 1) { site in
            let ending = try await runWithBrokenVips(source, of: site)

            // The code that SuccessExitStatus= of the unit has.
            #expect(ending.code == 3, "\(ending)")
            #expect(ending.errors.contains("there is no picture in "), "\(ending)")
        }
    }

    /// The folder may be one where others write.
    @Test(.enabled(if: hasJQ, "needs jq(1)")) func noLinkBesideTheScreenIsFollowed() async throws {
        try await withMirroredSite(days: 1) { site in
            try site.makeTool("vipsheader", "case $2 in bands) echo 3 ;; *) echo 640 ;; esac")
            try site.makeTool(
                "vips",
                """
                case $1 in insert) file=$4 ;; *) file=$3 ;; esac
                echo picture > "${file%%\\[*}"
                """)
            try site.write("mine", to: "work/other")
            let folder = try Directory(opening: "\(site.folder)/work")
            try folder.symlink(".new.screen.jpg", to: "other")

            let ending = try await run(
                ["320x200", "screen.jpg"], in: "\(site.folder)/work", root: site.root,
                path: "\(site.tools):/usr/bin:/bin")

            #expect(ending.code == 0, "\(ending)")
            #expect(try folder.read("other") == Array("mine".utf8))
            #expect(try folder.read("screen.jpg") == Array("picture\n".utf8))
            #expect(try folder.textNames().sorted() == [".new.screen.jpg", "other", "screen.jpg"])
        }
    }

    /// A limit of the size of files is as a full disk.
    @Test(.enabled(if: hasTools, "needs jq(1) and vips(1)"))
    func aScreenThatCannotBeWrittenStaysAsItWas() async throws {
        try await withMirroredSite(days: 1) { site in
            try site.write("old", to: "work/screen.png")

            let ending = try await Program(
                [
                    "sh", "-c",
                    "trap '' XFSZ; ulimit -f 16; cd '\(site.folder)/work'; sh \(Self.script) 640x400 screen.png",
                ], environment: ["APOD_MIRROR_ROOT": site.root, "TMPDIR": site.folder]
            ).end()

            #expect(ending.code != 0, "\(ending)")
            let folder = try Directory(opening: site.folder)
            #expect(try folder.read("work/screen.png") == Array("old".utf8))
            #expect(try folder.folder("work")?.textNames() == ["screen.png"])
        }
    }

    @Test(.enabled(if: hasTools, "needs jq(1) and vips(1)"))
    func aScreenHasItsSizeAndColorsWithoutACaption() async throws {
        try await withMirroredSite(days: 1) { site in
            for fit in ["blur", "cover"] {
                let ending = try await run(
                    ["120x300", "screen.png", "random", "fit=\(fit)"], in: site.folder,
                    root: site.root)

                #expect(ending.code == 0 && ending.errors == "", "\(ending)")
                let text = try await header(of: "screen.png", in: site)
                #expect(text == "120x300 uchar, 3 bands, srgb, pngload", "\(fit)")
            }
        }
    }

    /// What vipsheader(1) says of a file in the folder of `site`.
    private func header(of path: String, in site: Site) async throws -> Substring? {
        try await Program.run(["vipsheader", "\(site.folder)/\(path)"])
            .output.split(separator: "\n").first?.split(separator: ": ").last
    }

    /// Runs the script in `folder` with these words.
    private func run(
        _ words: [String], in folder: String, root: String, path: String = "/usr/bin:/bin"
    ) async throws -> Ending {
        try await Program(
            ["/bin/sh", "-c", "cd '\(folder)' && exec /bin/sh \(Self.script) \"$@\"", "sh"] + words,
            environment: ["APOD_MIRROR_ROOT": root, "PATH": path]
        ).end()
    }

    /// Runs the script for a source of the mirror of `site`, with a `vips` that makes no picture.
    private func runWithBrokenVips(_ source: String, of site: Site) async throws -> Ending {
        try site.makeTool("apod-mirror", "exec '\(Program.path)' \"$@\"")
        try site.makeTool("vips", "exit 1")
        return try await run(
            ["320x200", "screen.jpg", source], in: site.folder, root: site.root,
            path: "\(site.tools):/usr/bin:/bin")
    }
}
