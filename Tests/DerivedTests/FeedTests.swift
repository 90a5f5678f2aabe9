import APOD
import Derived
import Glibc
import JSON
import Mirror
import PictureSamples
import Platform
import TestSupport
import Testing

/// `feed.xml` and `feed.json`.
@Suite(.timeLimit(.minutes(10))) struct FeedTests {
    private let newest = MirrorOfDays.newest

    /// The items of the JSON feed.
    private func items(_ mirror: MirrorOfDays) throws -> [JSON] {
        let bytes = try #require(try mirror.root.read("feed.json"))
        return try JSON(parsing: bytes)["items"]?.elements ?? []
    }

    @Test func bothFeedsContainTheNewestThirtyDays() async throws {
        try await withMirror { mirror in
            for index in 0..<32 {
                try mirror.add(newest.advanced(by: -index), Chart(96, 64).jpeg())
            }
            try await mirror.refresh()

            let ids = try items(mirror).compactMap { $0["id"]?.string }
            #expect(ids.count == 30)
            #expect(ids.first == "https://apod.nasa.gov/apod/ap261120.html")
            let atom = try #require(try mirror.text("feed.xml"))
            #expect(ids.allSatisfy { atom.contains("<id>\($0)</id>") })
            #expect(atom.matches(of: /<entry>/).count == 30)
        }
    }

    @Test func entriesAfterLongTextsHaveOnlyATitle() async throws {
        try await withMirror { mirror in
            for index in 0..<30 {
                let text = index == 0 ? "Short." : String(repeating: "<", count: 32 << 10)
                try mirror.record(newest.advanced(by: -index), ["explanation": .string(text)])
            }
            try await mirror.refresh()

            let found = try items(mirror)
            #expect(found.count == 30)
            #expect(found.first?["content_text"]?.string == "Short.")
            #expect(found.last?["content_text"]?.string == "")
            #expect(found.last?["title"]?.string == "A Chart")
            for file in ["feed.xml", "feed.json"] {
                #expect(try #require(try mirror.root.read(file)).count < 2 << 20, "\(file)")
            }
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

            let item = try #require(try items(mirror).first)
            let path = "pictures/2026/2026-11/2026-11-20%20A%20Chart.jpg"
            #expect(item["url"]?.string == "https://n.gov/x")
            #expect(item["image"]?.string == path)
            #expect(item["attachments"]?.elements.first?["url"]?.string == path)
            #expect(item["attachments"]?.elements.first?["size_in_bytes"]?.integer == bytes.count)
            #expect(item["authors"]?.elements.first?["name"]?.string == "A. Body")
            let html = try #require(item["content_html"]?.string)
            #expect(html.contains("<a href=\"https://x.org/?a=1&amp;b=2\""))
            #expect(html.contains("<p>The second.</p>") && html.contains("<img src=\"\(path)\""))
            let atom = try #require(try mirror.text("feed.xml"))
            #expect(
                atom.contains(
                    "<link rel=\"enclosure\" type=\"image/jpeg\" length=\"\(bytes.count)\" href=\"\(path)\"/>"
                ))
            #expect(atom.contains("<rights>© A. Body &amp; Co</rights>"))
        }
    }

    @Test func aBaseURLMakesAddressesAbsolute() async throws {
        try await withMirror { mirror in
            try mirror.add(newest, Chart(96, 64).jpeg())
            var options = DerivedFiles.Options()
            options.baseURL = "https://me.org/apod/"
            mirror.restart(options)
            try await mirror.refresh()

            let item = try #require(try items(mirror).first)
            #expect(item["image"]?.string?.hasPrefix("https://me.org/apod/pictures/2026/") == true)
            #expect(item["content_html"]?.string?.contains("=\"pictures/") == false)
            let atom = try #require(try mirror.text("feed.xml"))
            #expect(atom.contains("href=\"https://me.org/apod/feed.xml\""))
            #expect(!atom.contains("href=\"pictures/"))
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
            #expect(
                try await mirror.refresh().written == ["feed.xml", "feed.json", "latest.json"])
            let item = try #require(try items(mirror).first)
            #expect(item["title"]?.string == "Edited")
            #expect(item["date_modified"]?.string == "2026-11-21T05:00:00Z")

            try mirror.remove(path, of: newest)
            try await mirror.refresh()
            #expect(try items(mirror).first?["attachments"] == nil)
            #expect(try mirror.text("feed.xml")?.contains("enclosure") == false)
        }
    }

    @Test func aFeedThatAUserWroteIsNotReplaced() async throws {
        try await withMirror { mirror in
            try mirror.add(newest, Chart(96, 64).jpeg())
            try mirror.write(Array("mine".utf8), to: "feed.json")

            let outcome = try await mirror.refresh()

            #expect(outcome.written.contains("feed.xml") && outcome.problems.count == 1)
            #expect(try mirror.text("feed.json") == "mine")
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
            ["missing": ["reason": "<none>", "since": "2026-11-10T05:00:00Z"]])
    }

    @Test func anyTextLeavesTheJSONFeedValid() async throws {
        try await withMirror { mirror in
            try mirrorOfHostileTexts(mirror)
            try await mirror.refresh()

            let bytes = try #require(try mirror.root.read("feed.json"))
            let feed = try JSON(parsing: bytes)
            #expect(feed["version"]?.string == "https://jsonfeed.org/version/1.1")
            #expect(feed["title"]?.string != nil)
            let items = try items(mirror)
            #expect(items.count == Self.hostile.count + 2)
            #expect(isFeed(feed))
            for item in items {
                #expect(isItem(item), "\(item)")
                #expect(item["content_html"]?.string?.contains("<script>") == false)
                #expect(item["content_html"]?.string?.contains("javascript:") == false)
            }
        }
    }

    /// Whether the keys and their values are those of JSON Feed 1.1.
    private func isFeed(_ feed: JSON) -> Bool {
        let known: Set = [
            "version", "title", "home_page_url", "feed_url", "language", "authors", "items",
        ]
        let ids = (feed["items"]?.elements ?? []).compactMap { $0["id"]?.string }
        return feed.members.allSatisfy { isExtension($0.key) || known.contains($0.key) }
            && Set(ids).count == feed["items"]?.elements.count && hasAuthors(feed)
    }

    private func isItem(_ item: JSON) -> Bool {
        let known: Set = [
            "id", "url", "title", "content_html", "content_text", "image", "date_published",
            "date_modified", "authors", "attachments",
        ]
        let dates = ["date_published", "date_modified"].compactMap { item[$0]?.string }
        let attachments = item["attachments"]?.elements ?? []
        return item.members.allSatisfy { known.contains($0.key) }
            && item["id"]?.string?.hasPrefix("https://") == true
            && item["content_html"]?.string != nil && hasAuthors(item) && dates.count == 2
            && dates.allSatisfy {
                (try? /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/.wholeMatch(in: $0)) != nil
            }
            && attachments.allSatisfy {
                $0["url"]?.string != nil && $0["mime_type"]?.string?.contains("/") == true
                    && ($0["size_in_bytes"]?.integer ?? 0) >= 0
            }
    }

    private func hasAuthors(_ json: JSON) -> Bool {
        let authors = json["authors"]?.elements ?? []
        return !authors.isEmpty && authors.allSatisfy { $0["name"]?.string?.isEmpty == false }
    }

    /// Whether programs may add the key: an underscore, a letter, no dot.
    private func isExtension(_ key: String) -> Bool {
        key.hasPrefix("_") && key.dropFirst().first?.isLetter == true && !key.contains(".")
    }

    private static let xmllint = "/usr/bin/xmllint"

    /// Runs xmllint; returns whether it succeeds.
    private func lint(_ words: String...) async -> Bool {
        await ExternalProgram(at: Self.xmllint, ["--nonet"] + words, inheriting: .outputAndErrors)
            .run(limit: .hang)
    }

    /// What RFC 4287 forbids beyond its schema, as XPath: the rules of appendix B, and sections 3 and 4.
    private static let violations = [
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
            if: unsafe access(xmllint, X_OK) == 0, "needs xmllint of Debian's libxml2-utils"))
    func theAtomFeedIsValidByTheSchemaAndTheRulesOfRFC4287() async throws {
        try await withMirror { mirror in
            try mirrorOfHostileTexts(mirror)
            for base in [nil, "https://me.org/a%20b/?x=1&y=<".percentEncoded(keeping: ":/?=&")] {
                var options = DerivedFiles.Options()
                options.baseURL = base
                mirror.restart(options)
                try await mirror.refresh()

                #expect(
                    await lint(
                        "--noout", "--relaxng", "\(sourceTree)/Tests/DerivedTests/atom.rng",
                        "\(mirror.root.path)/feed.xml"))
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
