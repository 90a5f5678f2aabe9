import APOD
import Glibc
import JSON
import MediaFormat
import Mirror
import PictureSamples
import Platform
import TestSupport
import Testing
import Views

/// `feed.xml`.
@Suite(.timeLimit(.minutes(10))) struct FeedTests {
    private let newest = MirrorOfDays.newest

    /// The entries of the feed.
    private func entries(_ mirror: MirrorOfDays) throws -> [String] {
        let feed = try #require(try mirror.text("feed.xml"))
        return feed.matches(of: /<entry>.*?<\/entry>/.dotMatchesNewlines()).map { String($0.0) }
    }

    @Test func theFeedContainsTheNewestThirtyDays() async throws {
        try await withMirror { mirror in
            for index in 0..<32 {
                try mirror.record(newest.advanced(by: -index))
            }
            try await mirror.refresh()

            let found = try entries(mirror)
            #expect(found.count == 30)
            #expect(
                found.first?.contains("<id>https://apod.nasa.gov/apod/ap261120.html</id>") == true)
        }
    }

    @Test func anEntryHasTextCreditAndThePictureAsEnclosure() async throws {
        try await withMirror { mirror in
            let bytes = Chart(96, 64).jpeg()
            try mirror.add(
                newest, bytes, .jpeg,
                [
                    "explanation": "See M1 here.\n\nThe second.",
                    "explanation_html":
                        "See <a href=\"https://x.org/?a=1&b=2\">M1</a> here.<p>The second.",
                    "credit": "A. Body", "copyright": "A. Body & Co",
                    "permalink": "https://n.gov/x",
                ])
            try await mirror.refresh()

            let entry = try #require(try entries(mirror).first)
            let path = "pictures/2026/2026-11/2026-11-20%20A%20Chart.jpg"
            #expect(entry.contains("href=\"https://n.gov/x\"/>"))
            #expect(entry.contains("<author><name>A. Body</name></author>"))
            #expect(entry.contains("&lt;a href=&quot;https://x.org/?a=1&amp;amp;b=2&quot;"))
            #expect(entry.contains("&lt;p&gt;The second.&lt;/p&gt;"))
            #expect(entry.contains("&lt;img src=&quot;\(path)&quot;"))
            let atom = try #require(try mirror.text("feed.xml"))
            #expect(
                atom.contains(
                    "<link rel=\"enclosure\" type=\"image/jpeg\" length=\"\(bytes.count)\" href=\"\(path)\"/>"
                ))
            #expect(atom.contains("<rights>© A. Body &amp; Co</rights>"))
        }
    }

    @Test func anEntryHasItsPictureInMediaRSS() async throws {
        try await withMirror { mirror in
            let bytes = Chart(96, 64).jpeg()
            try mirror.add(newest, bytes, .jpeg, ["credit": "A. Body & Co"])
            try mirror.write(Chart(48, 32).jpeg(), to: Layout.thumbnail(of: newest))
            try await mirror.refresh(ViewSettings(baseURL: "https://me.org/apod/"))

            let elements = """
                <media:content url="https://me.org/apod/pictures/2026/2026-11/2026-11-20%20A%20Chart.jpg" \
                type="image/jpeg" medium="image" fileSize="\(bytes.count)" width="96" height="64"/>
                <media:thumbnail url="https://me.org/apod/gallery/thumbnails/2026/2026-11/2026-11-20.jpg"/>
                <media:credit>A. Body &amp; Co</media:credit>

                """
            #expect(try #require(entries(mirror).first).contains(elements))
            let rss = try #require(try mirror.text("feed.rss"))
            #expect(rss.contains(elements))
            #expect(rss.contains("<pubDate>Fri, 20 Nov 2026 04:00:00 GMT</pubDate>"))
            let atom = try #require(try mirror.text("feed.xml"))
            #expect(atom.contains("href=\"https://me.org/apod/feed.xml\""))
            #expect(!atom.contains("href=\"pictures/") && !atom.contains("=&quot;pictures/"))
        }
    }

    /// As after an accident, if NASA has lost it, too.
    @Test func aPictureThatIsGoneIsNoEnclosure() async throws {
        try await withMirror { mirror in
            let path = try mirror.add(newest, Chart(96, 64).jpeg())
            try mirror.root.remove(path)
            try await mirror.refresh(ViewSettings(baseURL: "https://me.org/"))

            for feed in ["feed.xml", "feed.rss"] {
                let text = try #require(try mirror.text(feed))
                #expect(!text.contains("enclosure") && !text.contains("/pictures/"), "\(feed)")
                #expect(!text.contains("media:content"), "\(feed)")
                #expect(text.contains("is missing in the mirror"), "\(feed)")
            }
        }
    }

    /// Programs that set wallpapers, such as Variety, take the first image of an entry for one.
    @Test func aVideoIsAnnouncedAsOneAndItsPosterAsAThumbnail() async throws {
        try await withMirror { mirror in
            let path = "pictures/2026/2026-11/2026-11-20 A Chart.mp4"
            try mirror.write([1, 2, 3], to: path)
            try mirror.add(
                newest, Chart(96, 64).jpeg(), .jpeg,
                [
                    "media_type": "video", "credit": "A. Body", "explanation": "A <b> & c.",
                    "video": [
                        "url": "https://apod.nasa.gov/a.mp4", "path": .string(path), "bytes": 3,
                        "sha256": .string(SHA256.digits(64, of: [1, 2, 3])),
                    ],
                ])
            try await mirror.refresh(ViewSettings(baseURL: "https://me.org/"))

            let rss = try #require(try mirror.text("feed.rss"))
            let url = "https://me.org/pictures/2026/2026-11/2026-11-20%20A%20Chart"
            for element in [
                "<enclosure url=\"\(url).mp4\" length=\"3\" type=\"video/mp4\"/>",
                """
                <media:group>
                <media:content url="\(url).mp4" type="video/mp4" medium="video" fileSize="3"/>
                <media:thumbnail url="\(url).jpg"/>
                </media:group>
                """, "<dc:creator>A. Body</dc:creator>",
                "<media:description type=\"plain\">A &lt;b&gt; &amp; c.</media:description>",
            ] {
                #expect(rss.contains(element), "\(element)")
            }
            #expect(!rss.contains("medium=\"image\""))
            let link = "type=\"video/mp4\" length=\"3\" href=\"\(url).mp4\""
            #expect(try #require(entries(mirror).first).contains(link))
        }
    }

    @Test func thePosterOfAVideoElsewhereIsNoFileOfItsEntry() async throws {
        try await withMirror { mirror in
            try mirror.add(
                newest, Chart(96, 64).jpeg(), .jpeg,
                ["media_type": "video", "video": ["url": "https://www.youtube.com/watch?v=x"]])
            try await mirror.refresh(ViewSettings(baseURL: "https://me.org/"))

            let rss = try #require(try mirror.text("feed.rss"))
            #expect(rss.contains("<media:thumbnail url="))
            #expect(!rss.contains("<enclosure") && !rss.contains("<media:content"))
            #expect(try mirror.text("feed.xml")?.contains("enclosure") == false)
        }
    }

    /// An address in RSS cannot be relative.
    @Test func thereIsRSSWhileThereIsABaseURL() async throws {
        try await withMirror { mirror in
            try mirror.add(newest, Chart(96, 64).jpeg())
            try await mirror.refresh()
            #expect(try mirror.root.status("feed.rss") == nil)
            let settings = ViewSettings(baseURL: "https://me.org/")
            #expect(try await mirror.refresh(settings).changedPaths.contains("feed.rss"))
            #expect(try await mirror.refresh().changedPaths == [])

            try mirror.root.remove(mirror.recordPath(newest))
            try await mirror.refresh(ViewSettings())
            #expect(try mirror.root.status("feed.rss") == nil)
        }
    }

    @Test func anEditAndARemovalAreReflected() async throws {
        try await withMirror { mirror in
            let path = try mirror.add(newest, Chart(96, 64).jpeg())
            try await mirror.refresh()
            try mirror.add(
                newest, Chart(96, 64).jpeg(), .jpeg,
                [
                    "title": "Edited",
                    "source": ["feed": "basic", "fetched": "2026-11-21T05:00:00Z", "revision": 2],
                ])
            #expect(try await mirror.refresh().changedPaths == ["feed.xml", "latest.json"])
            let entry = try #require(try entries(mirror).first)
            #expect(entry.contains("<title>Edited</title>"))
            #expect(entry.contains("<updated>2026-11-21T05:00:00Z</updated>"))

            try mirror.remove(path, of: newest)
            try await mirror.refresh()
            #expect(try mirror.text("feed.xml")?.contains("enclosure") == false)
        }
    }

    // MARK: Validity

    /// Texts that are markup, control characters, noncharacters, or of other scripts.
    static let hostile = [
        "</title><script>alert(1)</script>", "]]> & &amp; <!-- \"'",
        "\u{1}\u{8}\u{B}\u{1F}\u{7F}\u{85}\u{9F}", "\u{FFFE}\u{FFFF}\u{FFFD}\u{FEFF}",
        "\u{202E}\u{0301}e\u{301} 星 🌌 \u{10FFFF}", "a\r\nb\tc\n\n\n\nd", "",
    ]

    private func mirrorOfHostileTexts(_ mirror: MirrorOfDays) throws {
        for (index, text) in Self.hostile.enumerated() {
            let day = newest.advanced(by: -index)
            try mirror.add(
                day, Chart(96, 64).jpeg(), .jpeg,
                [
                    "title": .string(text), "explanation": .string(text), "credit": .string(text),
                    "copyright": .string(text), "alt": .string(text),
                    "permalink": .string("https://n.gov/\(text)"),
                    "explanation_html": .string("<a href=\"\(text)\">\(text)</a>"),
                    "license": ["name": .string(text), "url": .string("javascript:\(text)")],
                ])
        }
        let day = newest.advanced(by: -Self.hostile.count)
        try mirror.record(
            day, ["media_type": "video", "video": ["url": "https://youtu.be/x?a=1&b=<"]])
        try mirror.record(
            day.advanced(by: -1),
            ["no_picture": ["reason": "<none>", "since": "2026-11-10T05:00:00Z"]])
    }

    @Test func noTextBecomesAScript() async throws {
        try await withMirror { mirror in
            try mirrorOfHostileTexts(mirror)
            try await mirror.refresh()

            let found = try entries(mirror)
            #expect(found.count == Self.hostile.count + 2)
            for entry in found {
                // Markup in the content is escaped once, text twice.
                let content = try #require(entry.split(separator: "<content ").last)
                #expect(!content.contains("&lt;script") && !content.contains("javascript:"))
                #expect(!entry.contains("<script"), "\(entry)")
            }
        }
    }

    /// Runs xmllint; returns whether it succeeds.
    private func lint(_ words: String...) async -> Bool {
        let program = ExternalProgram("xmllint", ["--nonet"] + words, in: "/usr/bin")
        return await program?.succeeds(within: .hang) ?? false
    }

    /// What RFC 4287 forbids, or allows and the mirror does not write, as XPath: sections 3 and 4, and appendix B.
    private static let violations = [
        // The schema: elements, attributes, texts and their order.
        "*[namespace-uri() = '' and not(self::author or self::entry or self::generator or self::id"
            + " or self::link or self::title or self::updated)]",
        "entry/*[namespace-uri() = '' and not(self::author or self::content or self::id"
            + " or self::link or self::published or self::rights or self::title or self::updated)]",
        "(. | entry)[count(id) != 1 or count(title) != 1 or count(updated) != 1]",
        "entry[count(content) > 1 or count(published) > 1 or count(rights) > 1]",
        "entry[following-sibling::*[not(self::entry)]]",
        "//author[count(name) != 1 or count(*) != 1]",
        "(//id | //title | //rights | //content | //name | //published | //updated)[*]",
        "(. | entry | //author)[text()[normalize-space() != '']]",
        "(//title | //rights | //content)[@type and not(@type = 'html' or @type = 'text')]",
        "//link[not(@href) or @*[not(name() = 'href' or name() = 'length' or name() = 'rel'"
            + " or name() = 'type')]]",
        // What is beyond it.
        "entry[not(author)] and not(author)",
        "entry[not(link[@rel='alternate'] or link[not(@rel)] or content)]",
        "count(link[@rel='self']) > 1", "count(link[@rel='alternate']) > 1",
        "entry[count(link[@rel='alternate']) > 1]",
        "entry[id = preceding-sibling::entry/id]",
        "//id[not(contains(., ':')) or contains(., ' ')]",
        "(//updated | //published)[translate(., '123456789', '000000000') != '0000-00-00T00:00:00Z']",
        "(//name | //title)[normalize-space() = '']",
        "//link[@href = '' or contains(@href, ' ')]",
        "//link[@length and not(@length >= 0)]",
    ]

    @Test(
        .enabled(
            if: unsafe access("/usr/bin/xmllint", X_OK) == 0,
            "needs xmllint of Debian's libxml2-utils"))
    func theAtomFeedIsValidByRFC4287() async throws {
        try await withMirror { mirror in
            try mirrorOfHostileTexts(mirror)
            for base in [nil, "https://me.org/a%20b/?x=1&y=<".percentEncoded(keeping: ":/?=&")] {
                try await mirror.refresh(ViewSettings(baseURL: base))

                if base != nil {
                    #expect(await lint("--noout", "\(mirror.root.path)/feed.rss"))
                }
                // Without the namespace, which xmllint cannot name in an XPath.
                let atom = try #require(try mirror.text("feed.xml"))
                let plain = atom.replacing(" xmlns=\"http://www.w3.org/2005/Atom\"", with: "")
                try mirror.write(Array(plain.utf8), to: "plain.xml")
                for violation in Self.violations {
                    // An empty result is a failure of xmllint.
                    let path = "/feed[not(\(violation))]/@xml:lang"
                    #expect(
                        await lint("--xpath", path, "\(mirror.root.path)/plain.xml"),
                        "\(violation)")
                }
            }
        }
    }
}
