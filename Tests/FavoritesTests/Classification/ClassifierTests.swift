import APOD
import Glibc
import Mirror
import Platform
import Testing

@testable import Favorites

/// What each thing seen in the field is: a link, a picture of the mirror, a small file that names one day, or unrecognized.
@Suite(.timeLimit(.minutes(10))) struct ClassifierTests {
    typealias Row = (name: String, content: Content, day: String?, kind: ReferenceKind)

    enum Content {
        case link(String)
        case file([UInt8])
        /// A hard link of the picture ``crab``.
        case original

        static func text(_ text: String) -> Self { .file(Samples.text(text)) }

        /// A shortcut of Windows.
        static func url(_ address: String) -> Self {
            text("[InternetShortcut]\r\nURL=\(address)\r\n")
        }
    }

    static let crab = "pictures/2026/2026-11/2026-11-20 The Crab Nebula.jpg"
    static let crabName = "2026-11-20 The Crab Nebula.jpg"
    static let page = "https://apod.nasa.gov/apod/ap261120.html"
    static let now = "2026-11-20"

    static let references: [Row] = [
        // MARK: Links
        ("thunar ctrl+shift.jpg", .link("/srv/apod/\(crab)"), now, .link),
        ("ln -sr.jpg", .link("../\(crab)"), now, .link),
        ("Nebulae/deep/in.jpg", .link("../../../\(crab)"), now, .link),
        ("metadata", .link("../metadata/2026/2026-11/2026-11-20.json"), now, .link),
        ("thumbnail", .link("../gallery/thumbnails/2026/2026-11/2026-11-20.jpg"), now, .link),
        ("latest.jpg", .link("../latest.jpg"), "2026-11-21", .link),
        ("latest of nas", .link("/mnt/nas/latest.jpg"), nil, .link),
        ("another latest file", .link("../latest.tar"), nil, .link),
        ("pin", .link("../.apod-mirror/favorites/2026-11-20.jpg"), now, .link),
        ("gone", .link("../pictures/2019/2019-02/2019-02-03 Gone.jpg"), "2019-02-03", .link),
        ("other spelling.jpg", .link("/home/me/APOD/\(crab)"), now, .link),
        (
            "thunar on sftp.jpg",
            .link("/run/user/1000/gvfs/sftp:host=nas.local,port=28022,user=alice/srv/x/\(crab)"),
            now, .link
        ),
        ("mac", .link("/Volumes/apod/2026/2026-11/2026-11-20 Come\u{300}te.jpg"), now, .link),
        ("old layout", .link("/srv/a/2019/2019-02/2019-02-03 Gone.jpg"), "2019-02-03", .link),
        ("a folder of a day", .link("/srv/a/2019-02-03/image.jpg"), nil, .link),
        ("a photo", .link("/home/me/IMG-2019-02-03.jpg"), nil, .link),
        ("chain", .link("target.jpg"), now, .link),
        ("absolute chain", .link("/srv/apod/favorites/target.jpg"), now, .link),
        ("to a copy", .link("copy.jpg"), now, .link),
        ("to nothing", .link("somewhere else.jpg"), nil, .link),
        ("shadow", .link("/etc/shadow"), nil, .link),
        ("above", .link("../../../../../.."), nil, .link),
        ("the tree", .link(".."), nil, .link),
        ("a month", .link("../pictures/2026/2026-11"), nil, .link),
        ("the folder", .link("."), nil, .link),
        ("loop", .link("loop"), nil, .link),
        ("ping", .link("pong"), nil, .link),
        ("pong", .link("ping"), nil, .link),
        ("to a fifo", .link("fifo"), nil, .link),
        ("name says 2026-11-20.jpg", .link("/etc/passwd"), nil, .link),
        ("from recent/\(crabName)", .link("/53ab2b0c8e1d"), now, .link),
        ("other recent/2026-11-20 Mine.jpg", .link("/53ab2b0c8e1d"), nil, .link),
        ("no recent/\(crabName)", .link("/etc"), nil, .link),
        ("no recent/deep/\(crabName)", .link("/53ab2b0c8e1d/a"), nil, .link),

        // MARK: Files
        ("hard.jpg", .original, now, .hardLink),
        ("copy.jpg", .file(FolderUnderTest.picture("crab")), now, .copy),
        ("before an edit.jpg", .file(FolderUnderTest.picture("replaced")), now, .copy),
        ("of its size.jpg", .file(FolderUnderTest.picture("replaceD")), nil, .copy),
        ("dolphin.desktop", .text("[Desktop Entry]\nType=Link\nURL[$e]=\(page)\n"), now, .shortcut),
        (
            "file.desktop",
            .file(
                Samples.text(
                    "[Desktop Entry]\nType=Link\nURL=file:///mnt/nas/"
                        + "pictures/2026/2026-11/2026-11-20%20The%20Crab%20Nebula.jpg\n")), now,
            .shortcut
        ),
        (
            "sftp.desktop", .text("[Desktop Entry]\nURL=sftp://alice@nas:22/srv/\(crab)\n"), now,
            .shortcut
        ),
        (
            "windows.url",
            .file(
                Samples.text(
                    "[{000214A0-0000-0000-C000-000000000046}]\r\nProp3=19,11\r\n"
                        + "[InternetShortcut]\r\nIDList=\r\nURL=\(page)\r\n")), now, .shortcut
        ),
        (
            "wide.url",
            .file([0xFF, 0xFE] + Samples.wide("[InternetShortcut]\r\nURL=\(page)\r\n")), now,
            .shortcut
        ),
        (
            "new site.url",
            .file(
                Samples.text(
                    "[InternetShortcut]\nURL=https://science.nasa.gov/image-article/"
                        + "apod-2026-november-20-the-crab-nebula/\n")), now, .shortcut
        ),
        ("cat.url", .url("https://cat.com/"), nil, .shortcut),
        ("xml.webloc", .text("<string>\(page)</string>"), now, .shortcut),
        ("safari.webloc", .file(Samples.binaryWebloc(page)), now, .shortcut),
        ("macos over smb", .file(Samples.xsym("/Volumes/apod/\(crab)")), now, .shortcut),
        ("relative over smb", .file(Samples.xsym("../\(crab)")), now, .shortcut),
        ("out over smb", .file(Samples.xsym("/etc/shadow")), nil, .shortcut),
        ("a/cloned", .text("../../\(crab)"), now, .shortcut),
        ("cloned from elsewhere", .text("../../2026-11-20.jpg"), nil, .shortcut),
        (
            "of a gallery.url", .url("http://server:8080/gallery/2026-11.html#2026-11-20"), now,
            .shortcut
        ),
        (
            "of a gallery.desktop",
            .text("[Desktop Entry]\nURL=smb://nas/apod/gallery/2026.html#at-2026-11-20\n"), now,
            .shortcut
        ),
        ("front page.txt", .text("(http://nas/#2026-11-20)"), now, .shortcut),
        (
            "front page of files.txt", .text("file:///srv/apod/index.html#2026-11-20"), now,
            .shortcut
        ),
        ("v1.txt", .text("https://nas/v1/2026-11-20.json"), now, .shortcut),
        ("in brackets.txt", .text("(nas/v1/2026-11-20.json)."), now, .shortcut),
        ("note.txt", .text("gallery/2026-11.html#2026-11-20\n"), now, .shortcut),
        ("front page alone.txt", .text("index.html#2026-11-20"), now, .shortcut),
        (
            "without scheme.txt", .text("see nas:8080/gallery/2026.html#at-2026-11-20."), now,
            .shortcut
        ),
        (
            "share of windows.txt", .text("\\\\nas\\apod\\gallery\\2026-11.html#2026-11-20"), now,
            .shortcut
        ),
        ("an issue.txt", .text("see apod#2026-11-20"), nil, .shortcut),
        ("a record.txt", .text("v1/2026-11-20.jsonl"), nil, .shortcut),
        ("a month.txt", .text("http://nas/gallery/2026.html#july"), nil, .shortcut),
        ("a blog.txt", .text("https://example.org/blog/a.html#2026-11-20"), nil, .shortcut),
        (
            "news of NASA.url", .url("https://science.nasa.gov/news-release/2026-11-20-moon/"), nil,
            .shortcut
        ),
        ("rover.url", .url("https://mars.nasa.gov/raw/2026-11-20/"), nil, .shortcut),
        (
            "rover from APOD.url", .url("https://mars.nasa.gov/raw/2026-11-20/?ref=apod"), nil,
            .shortcut
        ),
        (
            "alias of macOS", .text("book\0\0pictures\0\02026\0\02026-11\0\0\(crabName)\0\0\0"),
            now, .shortcut
        ),
        (
            "decomposed alias of macOS",
            .text("book\0\02026-11-19 Come\u{300}te d’e\u{301}te\u{301}.jpg\0\0"), "2026-11-19",
            .shortcut
        ),
        (
            "drive letter.lnk",
            .file(
                [0x4C, 0, 0, 0] + Samples.text("Z:\\2026\\") + Samples.wide("2026-11\0")
                    + Samples.wide("2026-11-19 Comète d’été.jpg\0")), "2026-11-19", .shortcut
        ),
        (
            "other name.lnk", .file([0x4C, 0, 0, 0] + Samples.wide("2026-11-19 The Comet.jpg\0")),
            nil, .shortcut
        ),
        (
            "A Flight.html",
            .text(
                "<title>APOD 2026-11-20: A Flight</title><a href=\"https://www.youtube.com/watch?v=a\">"
            ), now, .shortcut
        ),
        (
            "x - Shortcut.lnk",
            .file(
                Samples.shellLink(
                    share: "\\\\NAS\\apod", suffix: "2026\\2026-11\\2026-11-20 Comète d’été.jpg")),
            now, .shortcut
        ),
        ("wish.txt", .text("I like \(page) most\n"), now, .shortcut),
        ("twice.txt", .text("\(page)\n<\(crab)>\n"), now, .shortcut),
        (
            "two days.txt", .text("\(page)\nhttps://apod.nasa.gov/apod/ap950616.html\n"), nil,
            .shortcut
        ),
        (
            "large.txt",
            .file(Samples.text(page) + [UInt8](repeating: 0x20, count: PointerText.maximumLength)),
            nil, .shortcut
        ),
        ("longer number", .text("12026/2026-11/2026-11-201"), nil, .shortcut),
        ("date.txt", .text("11/20 = 2026-11-20\n"), nil, .shortcut),
        ("site.txt", .text("https://example.org/2026-11-20/apple"), nil, .shortcut),
        ("blog.html", .text("<a href=\"\(page)\">look</a>"), now, .shortcut),
        (
            "2026-11-20 edited.png", .file([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), now,
            .named
        ),
        ("2026-11-20.txt", .text("not a picture"), nil, .named),
        ("unknown.jpg", .file([0xFF, 0xD8, 0xFF, 2]), nil, .copy),
        // Other programs put the date of a conflict or a screenshot elsewhere in a name.
        (
            "my crab (conflicted copy 2026-11-20 101010).png", .file([0xFF, 0xD8, 0xFF, 2]), nil,
            .copy
        ),
        ("Screenshot from 2026-11-20 10-10-10.png", .file([0xFF, 0xD8, 0xFF, 2]), nil, .copy),
        ("empty file", .file([]), nil, .copy),
    ]

    @Test func eachReferenceIsClassified() async throws {
        try await Self.withClassifier { classifier, items in
            for row in Self.references {
                let classification = classifier.classify(try #require(items[row.name]))

                if let day = row.day {
                    #expect(
                        classification == .favorite(try Self.day(day), row.kind), "\(row.name)")
                } else {
                    #expect(classification.isUnrecognized, "\(row.name)")
                }
            }
        }
    }

    @Test(arguments: [
        ".hidden.jpg", ".goutputstream-AB12", "._x.jpg", ".directory", ".DS_Store", "26.part",
        "27.desktop.lock", "Thumbs.db", "desktop.ini", "~$x.doc", "x.jpg~", "#x#",
        "Unconfirmed 1.crdownload",
        "x.jpg:Zone.Identifier", "x.jpg.ffs_tmp", "x.jpg.!sync",
        ".Trash-1000/files/x.jpg", "Icon\r", "Icon\u{F00D}",
        "#recycle/x.jpg",
        "$Recycle.Bin/x.jpg", "System Volume Information/x", "@eaDir/x.jpg/SYNOPHOTO.jpg", "@tmp/x",
        "#snapshot/x.jpg", "~snapshot/hourly/x.jpg", "Network Trash Folder/x", "Temporary Items/x",
        "Recycle Bin/x.jpg", "RECYCLER/x.jpg", "@Recycle/x.jpg", "@Recently-Snapshot/hourly/x.jpg",
        "Thumbs.db:encryptable", "x.jpg.aae", "x.jpg.pp3", "x.jpg.!ut", "x.jpg.sb-0a1b2c3d-x1Y2z3",
    ])
    func temporaryFilesOfProgramsAreNotReported(name: String) throws {
        #expect(IgnoreRules.ignores(try #require(FavoriteName(name))))
    }

    @Test(arguments: [40, 41])
    func noMoreLinksAreFollowedThanTheKernelFollows(count: Int) async throws {
        try await withFolder(inMemory: true) { folder in
            let chain = try (1..<count).map { try Self.link("\($0)", to: "\($0 + 1)") }
            let items = chain + [try Self.link("\(count)", to: "../\(Self.crab)")]
            let scan = Scan(place: .nothing, items: items)
            var classifier = Classifier(scan, in: folder.store, recorded: [:])

            #expect(classifier.classify(items[0]).isUnrecognized == (count > 40))
        }
    }

    @Test(arguments: [("", false), ("2026-11-20", false), ("2026-11-20 b", true)])
    func aLinkIntoAnUnreadFolderIsNoFavorite(unread: String, isFavorite: Bool) async throws {
        try await withFolder(inMemory: true) { folder in
            var scan = Scan(place: .nothing, items: [try Self.link("trip", to: "2026-11-20")])
            let error = SystemError("open", path: "favorites", code: EACCES)
            scan.failures = [.init(path: Array(unread.utf8), error: error)]
            var classifier = Classifier(scan, in: folder.store, recorded: [:])

            #expect(classifier.classify(scan.items[0]).isUnrecognized != isFavorite)
        }
    }

    // MARK: Fixtures

    /// Runs `body` with a mirror that has all of the items on its disk; links to `/srv/apod` lead to its root.
    static func withClassifier(
        _ body: (inout Classifier, [String: ScannedItem]) throws -> Void
    ) async throws {
        try await withFolder(inMemory: true) { folder in
            let root = folder.tree.root
            folder.remove("latest.jpg")
            try root.symlink("latest.jpg", to: "pictures/2026/2026-11/2026-11-21 New.jpg")
            folder.link("target.jpg")
            folder.write(
                ".apod-mirror/previous/2026-11-20 1.jpg", FolderUnderTest.picture("replaced"))
            unsafe mkfifo(folder.path("favorites/fifo"), 0o644)
            for row in references {
                let path = "favorites/\(row.name)"
                folder.makeDirectory(Layout.split(path).folder)
                switch row.content {
                case .link(let target):
                    folder.link(row.name, to: target.replacing("/srv/apod", with: root.path))
                case .file(let bytes): folder.write(path, bytes)
                case .original: try root.link(FolderUnderTest.crabPath, to: root, as: path)
                }
            }
            let scan = Scan(of: root)
            let items = Dictionary(scan.items.map { ($0.name.text, $0) }) { first, _ in first }
            var classifier = Classifier(scan, in: folder.store, recorded: [:])
            try body(&classifier, items)
        }
    }

    static func day(_ text: String) throws -> Day { try #require(Day(iso: text)) }

    /// A link that is not on the disk.
    static func link(_ name: String, to target: String) throws -> ScannedItem {
        ScannedItem(
            name: try #require(FavoriteName(name)),
            identity: FileIdentity(device: 1, inode: 1), details: .link(target: Array(target.utf8)))
    }
}

/// Files in the formats that other systems write.
enum Samples {
    static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func wide(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    /// 1,067 bytes, as macOS writes them.
    static func xsym(_ target: String) -> [UInt8] {
        let digits = String(target.utf8.count)
        let length = String(repeating: "0", count: 4 - digits.count) + digits
        let head = text("XSym\n\(length)\n\(String(repeating: "a", count: 32))\n\(target)\n")
        return head + [UInt8](repeating: 0x20, count: 1067 - head.count)
    }

    /// A shortcut of Windows to a file of a network share, without its numbers.
    static func shellLink(share: String, suffix: String) -> [UInt8] {
        let header: [UInt8] = [0x4C, 0, 0, 0, 0x01, 0x14, 0x02, 0]
        return header + text("\(share)\0?\0") + wide(suffix) + wide("\0")
    }

    /// A dictionary with one string, as Safari writes it, without its tables.
    static func binaryWebloc(_ address: String) -> [UInt8] {
        let length: [UInt8] = [0x5F, 0x10, UInt8(address.utf8.count)]
        return text("bplist00\u{1}\u{2}SURL") + length + text(address) + text("\u{8}\u{B}\u{F}\0")
    }
}
