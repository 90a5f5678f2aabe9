import JSON
import Testing
import Transfer

@testable import APOD

@Suite(.timeLimit(.minutes(10))) struct EntryDecoderTests {
    private func entry(_ body: String) throws -> Entry {
        let response = try decode(Array(body.utf8))
        return try #require(response.entries.first, "\(response.rejections)")
    }

    @Test func anAPODBasicEntryIsDecoded() throws {
        let picture = "https://assets.science.nasa.gov/content/dam/science/cds/apod/a.jpg"
        let credit =
            "<b> Image Credit &amp; <a href=\"#\">Copyright</a>: </b> <a href=\"#\">A. B</a>"
        let entry = try entry(
            basicElement(
                "2015-07-04",
                [
                    "title": " APOD&#8217;s &#8220;Title&#8221;\n",
                    "explanation":
                        "<b> Explanation: </b> Stars &amp; <a href=' x#a\n b '>gas</a> .<br><b>Gallery:</b> x",
                    "credit": credit, "copyright": credit, "alt": "Two\nstars",
                    "permalink": "https://science.nasa.gov/p/", "hdurl": picture,
                ]))

        let html =
            "<b> Explanation: </b> Stars &amp; <a href=\"https://apod.nasa.gov/apod/x#a%20b\">gas</a>."
        #expect(
            entry
                == Entry(
                    day: try day("2015-07-04"), title: "APOD’s “Title”",
                    explanation: "Stars & gas.", explanationHTML: html, mediaType: "image",
                    credit: "A. B", copyright: "A. B", permalink: "https://science.nasa.gov/p/",
                    alt: "Two stars", media: Media(pictures: [PictureAddress(picture)]),
                    feed: .basic))
    }

    @Test func aV1EntryIsDecoded() throws {
        let entry = try entry(
            v1Element(
                "1996-10-05",
                [
                    "title": "The Horsehead \r\nCredit and Copyright:",
                    "explanation": "  A star , it is\ndark.\n\nSee & wonder <here>. ",
                    "copyright": "\nDavid\nMalin  \n", "url": "https://example.org/h.jpg",
                ]))

        #expect(
            entry
                == Entry(
                    day: try day("1996-10-05"), title: "The Horsehead",
                    explanation: "A star, it is dark.\n\nSee & wonder <here>.", mediaType: "image",
                    copyright: "David Malin",
                    media: Media(pictures: [PictureAddress("https://example.org/h.jpg")]), feed: .v1
                )
        )
    }

    @Test(arguments: [
        "A star.   digg_url = 'http://apod.nasa.gov/apod/ap080430.html'; digg_skin = 'compact';",
        "A star.  Tomorrow's picture:  A Comet < | Archive | Index", "A star.",
        "A digg_url = 'http://a/'; digg_skin = 'compact'; star.",
    ])
    func theFootOfAPageIsNoPartOfAV1Explanation(explanation: String) throws {
        let fields = ["explanation": explanation]
        #expect(try entry(v1Element("2008-04-30", fields)).explanation == "A star.")
    }

    /// A reference of one digit is markup, too.
    @Test func markupInAV1EntryIsParsed() throws {
        let fields = ["title": "A &amp; B", "explanation": "<b>Explanation:</b> C &lt; D"]
        let marked = try entry(v1Element("2026-10-02", fields))

        #expect(marked.title == "A & B" && marked.explanation == "C < D")
        #expect(marked.explanationHTML == "<b>Explanation:</b> C &lt; D")
        let short = try entry(v1Element("1996-10-05", ["explanation": "A&#9;star."]))
        #expect(short.explanation == "A star.")
    }

    @Test(arguments: [
        ("APOD: 2024 December 7 – Rocket", "Rocket"), ("APOD: 2024 December 7 - Rocket", "Rocket"),
        ("2024 December 7: Rocket", "Rocket"), ("apod 2024-12-07 Rocket", "Rocket"),
        ("APOD: December 7, 2024 — Rocket", "Rocket"), ("ap241207 | Rocket", "Rocket"),
        ("APOD: 7 December 2024 – Rocket", "Rocket"), ("APOD: 2024 Dec 7 - Rocket", "Rocket"),
        ("APOD: Dec. 7, 2024 – Rocket", "Rocket"), ("Dec. 7, 2024: Rocket", "Rocket"),
        ("7 December 2024 | Rocket", "Rocket"), ("APOD – 2024 December 7 – Rocket", "Rocket"),
        ("APOD: 7 December 2024", Entry.untitled), ("APOD: Dec 7, 2024 -", Entry.untitled),
        ("APOD:", Entry.untitled), ("Dec. 8, 2024: Rocket", "Dec. 8, 2024: Rocket"),
        ("APOD: 2024 December 7 –", Entry.untitled), ("APOD: 2024 December 7", Entry.untitled),
        ("APOD: 2024 December 8 – Rocket", "APOD: 2024 December 8 – Rocket"),
        ("APOD is One Year Old Today", "APOD is One Year Old Today"),
        ("2024 December 7th", "2024 December 7th"), ("1006 AD: Supernova", "1006 AD: Supernova"),
    ])
    func thePrefixOfThePostIsNoPartOfTheTitle(text: String, title: String) throws {
        for element in [
            v1Element("2024-12-07", ["title": text]),
            basicElement("2024-12-07", ["title": text.replacing("–", with: "&#8211;")]),
        ] {
            #expect(try entry(element).title == title)
        }
    }

    @Test(arguments: [
        ("<img src='/content/dam/a.jpg'>", "image"), ("", "image"),
        ("<iframe src='https://youtu.be/UgxWkOXcdZU'></iframe>", "video"),
    ])
    func anEntryWithoutMediaTypeIsOfThatOfItsMedia(page: String, type: String) throws {
        let fields = ["media_type": "", "basic_html": page]
        #expect(try entry(basicElement("2024-12-07", fields)).mediaType == type)
    }

    /// HTML defines references to these numbers, and browsers read the bytes, as characters of Windows-1252.
    @Test func charactersOfWindowsAreKept() throws {
        let explanation = "<b>&#147;Earth&#x92;s&#148;</b> orbit&#133; \u{93}A\u{94} &#129;1&#128;"
        let fields = ["title": "Earth&#146;s \u{93}Orbit\u{94}", "explanation": explanation]
        let basic = try entry(basicElement("2026-10-02", fields))
        let v1 = try entry(
            v1Element("2026-10-02", ["title": "Earth\u{92}s", "explanation": "A\u{85}"]))

        #expect(basic.title == "Earth’s “Orbit”")
        #expect(basic.explanation == "“Earth’s” orbit… “A” 1€")
        #expect(basic.explanationHTML == "<b>“Earth’s”</b> orbit… “A” 1€")
        #expect(v1.title == "Earth’s" && v1.explanation == "A…")
    }

    /// The feed may be that of another server: NASA's texts are the same there.
    @Test(
        arguments: ["https://science.nasa.gov/x", "http://127.0.0.1:8080/x"],
        [
            ("ap260422.html", "https://apod.nasa.gov/apod/ap260422.html"),
            ("lib/glossary.html#dust", "https://apod.nasa.gov/apod/lib/glossary.html#dust"),
            ("/image-article/a/", "https://science.nasa.gov/image-article/a/"),
            ("//a.gov/b", "https://a.gov/b"),
            ("http://a.gov/milkyway/ components.html", "http://a.gov/milkyway/components.html"),
            ("///Users/ap261004.html", nil), ("#a", nil),
        ])
    func aRelativeLinkInATextLeadsToNASA(upstream: String, link: (String, String?)) throws {
        let element = basicElement("2026-10-02", ["explanation": "<a href='\(link.0)'>a</a> b"])
        let entry = try EntryDecoder(upstream: WebURL(upstream)).entry(
            from: RawEntry(json: RawJSON(Array(element.utf8)[...])))

        #expect(entry.explanationHTML == (link.1.map { "<a href=\"\($0)\">a</a> b" } ?? "a b"))
    }

    @Test func theBaseOfThePageIsThatOfItsLinks() throws {
        let fields = [
            "basic_html": "<head><base href='/apod/old/'></head>",
            "explanation": "<a href=a.html>a</a> <a href=/b>b</a>",
        ]
        #expect(
            try entry(basicElement("2026-10-02", fields)).explanationHTML
                == "<a href=\"https://science.nasa.gov/apod/old/a.html\">a</a> "
                + "<a href=\"https://science.nasa.gov/b\">b</a>")
        let other = fields.merging(["basic_html": "<base href='https://a.org/d/'>"]) { $1 }
        #expect(
            try entry(basicElement("2026-10-02", other)).explanationHTML
                == "<a href=\"https://a.org/d/a.html\">a</a> <a href=\"https://a.org/b\">b</a>")
    }

    @Test(arguments: [
        ("Anglo-Australian\nBoard\n Explanation:  \nLong winding", "Anglo-Australian Board"),
        ("\n Explanation: \nOn August 21", nil), ("  ", nil),
    ])
    func thePageAfterACopyrightIsRemoved(copyright: String, holder: String?) throws {
        #expect(try entry(v1Element("1995-09-12", ["copyright": copyright])).copyright == holder)
    }

    @Test(arguments: [
        ("<b>Image Credit & <a href=x>Copyright</a>:</b> A", "A"), ("<b>Image Credit:</b> A", nil),
        ("<html></html>", "A"),
    ])
    func theLabelOnThePageDecidesAboutANameWithoutLabel(page: String, holder: String?) throws {
        let fields = ["credit": "A", "basic_html": page]
        let entry = try entry(
            basicElement("2026-10-02", fields.merging(["copyright": "A"]) { $1 }))

        #expect(entry.credit == "A" && entry.copyright == holder)
        #expect(try self.entry(basicElement("2026-10-02", ["credit": "A"])).copyright == nil)
    }

    @Test func aFieldWithoutATextCountsAsMissing() throws {
        let picture = "https://science.nasa.gov/cds/apod/a.jpg"
        let entry = try entry(
            """
            {"date":"2026-10-02","post_id":false,"title":false,"permalink":null,"media_type":[],
            "explanation":false,"credit":false,"copyright":{ },"alt":true,"url":false,
            "hdurl":"\(picture)","basic_html":false,"basic_html_url":null}
            """)

        #expect(
            entry
                == Entry(
                    day: try day("2026-10-02"), title: Entry.untitled, explanation: "",
                    mediaType: "image", media: Media(pictures: [PictureAddress(picture)]),
                    feed: .basic))
    }

    @Test(arguments: [
        (#""M31 \ud83d""#, "M31 \u{FFFD}"), (#""\ud83d\u0041b""#, "\u{FFFD}Ab"),
        (#""a\qb\u12""#, "a\u{FFFD}b\u{FFFD}12"),
        ("\"M31\\u0021\nand\tM32\"", "M31! and M32"), ("2012", "2012"), ("-1.5", "-1.5"),
        (#"{"rendered":"Caf\u00e9","protected":false}"#, "Café"),
        (#""NASA&amp;#8217;s Moon""#, "NASA’s Moon"), (#""The Moon [1]""#, "The Moon [1]"),
    ])
    func aTitleThatCanBeReadIsTaken(json: String, title: String) throws {
        let entry = try entry(
            #"{"date":"2026-10-02","post_id":"7","media_type":"image","title":\#(json)}"#)
        #expect(entry.title == title && entry.problems == [])
    }

    @Test(arguments: ["alt", "title", "credit", "explanation", "basic_html"])
    func aFieldThatCannotBeUsedIsLeftOutWithItsReason(field: String) throws {
        let long = String(repeating: "x", count: TextLimit.page + 1)
        for (json, reason) in [
            ("[1]", "\(field) is not a text"), ("\"\(long)\"", "\(field) is longer than "),
        ] {
            var fields = ["title": "T", "explanation": "E", "credit": "C", "alt": "A"]
            fields[field] = "#"
            let element = basicElement("2026-10-02", fields).replacing("\"#\"", with: json)
            let entry = try entry(element)
            #expect(
                entry.problems.count == 1 && entry.problems[0].hasPrefix(reason),
                "\(entry.problems)")
            #expect((entry.title == "T") == (field != "title"))
            #expect((entry.alt == "A") == (field != "alt"))
        }
    }

    @Test func anArticleWithAPictureInItIsRead() throws {
        let page =
            "<img src='data:image/png;base64,\(String(repeating: "A", count: 100_000))'><img src='/cds/apod/a.jpg'>"
        let entry = try entry(basicElement("2026-10-02", ["basic_html": page]))
        #expect(entry.media.pictures.map(\.url) == ["https://science.nasa.gov/cds/apod/a.jpg"])
        #expect(entry.problems == [])
    }

    @Test(arguments: [
        ("7", nil), ("\"a\"", nil), ("null", nil), ("[]", nil), ("{}", nil),
        ("{\"date\":\"2026-02-30\"}", nil), ("{\"date\":20261002}", nil),
        ("{\"date\":\"2026-10-01\"}", "2026-10-01"),
        ("{\"date\":\"2026-10-01\",\"title\":[1]}", "2026-10-01"),
    ])
    func onlyTheInvalidElementIsRejected(element: String, claimed: String?) throws {
        let list = "[\(v1Element("2026-10-03")),\(element),\(basicElement("2026-10-02"))]"
        let response = try decode(Array(list.utf8))

        #expect(response.entries.map(\.day.description) == ["2026-10-03", "2026-10-02"])
        #expect(response.entries.map(\.feed) == [.v1, .basic])
        #expect(response.rejections.count == 1)
        #expect(response.rejections.first?.day?.description == claimed)
        #expect(response.rejections.first?.reason.isEmpty == false)
    }

    @Test(arguments: [
        ["title": "NASA Science"], ["title": " nasa\nscience "],
        ["explanation": "Discover the cosmos! Each day a different image"],
        ["explanation": "<b>Explanation:</b> Discover the cosmos! Each day"],
    ])
    func aPlaceholderIsRejected(fields: [String: String]) throws {
        for element in [v1Element("2026-10-02", fields), basicElement("2026-10-02", fields)] {
            let response = try decode(Array(element.utf8))

            #expect(response.entries.isEmpty)
            #expect(
                response.rejections == [
                    EntryRejection(day: try day("2026-10-02"), reason: Placeholder.reason)
                ]
            )
        }
    }

    @Test(arguments: [
        ("", "empty"), (" \n", "empty"),
        ("<!doctype html>\n<html>", "\"<!doctype html> <html>\""),
        ("Service\u{1} Unavailable", "\"Service Unavailable\""),
        ("[{\"date\":", "\"[{\"date\":\""), ("\"text\"", "text"), ("17", "\"17\""),
        ("true", "\"true\""), ("[[[[", "\"[[[[\""),
    ])
    func theErrorQuotesABodyThatIsNotJSON(body: String, quote: String) {
        do throws(FeedError) {
            _ = try decode(Array(body.utf8))
            Issue.record("the body was decoded")
        } catch {
            #expect("\(error)".hasPrefix("https://science.nasa.gov/x "), "\(error)")
            #expect("\(error)".contains(quote), "\(error)")
        }
    }

    @Test func aCharacterThatIsNotUTF8IsReplaced() throws {
        var body = [0xEF, 0xBB, 0xBF] + Array(v1Element("2026-10-02", ["title": "A#B"]).utf8)
        body[try #require(body.firstIndex(of: UInt8(ascii: "#")))] = 0xFF

        #expect(try decode(body).entries.map(\.title) == ["A\u{FFFD}B"])
    }

    @Test(arguments: [
        v1Element("2026-10-05", ["title": "\u{200B}", "explanation": " ", "url": ""]),
        basicElement("2026-10-05", ["title": "<b></b>", "explanation": "<p></p>"]),
    ])
    func anEntryWithoutVisibleTextAndMediaIsRejected(element: String) throws {
        let response = try decode(Array(element.utf8))

        #expect(response.entries == [])
        #expect(
            response.rejections.map(\.reason) == ["the entry has no title, no text and no media"])
    }

    // MARK: Texts

    @Test(arguments: [
        ("See Explanation.  Moving the cursor over the image brings up a copy.", nil),
        ("see explanation", nil), ("<i>See Explanation</i>", nil),
        ("A galaxy. See explanation.", "A galaxy. See explanation."),
    ])
    func anAltTextThatRefersToTheExplanationIsDropped(alt: String, expected: String?) throws {
        #expect(try entry(basicElement("2026-09-24", ["alt": alt])).alt == expected)
    }

    @Test func linksInTheExplanationAreAbsoluteAndNotesAreRemoved() throws {
        let explanation = """
            <strong>Explanation: </strong>A <a href="/image-article/a/" onclick="x">star</a> &amp;
            <a href="//example.org/?a=1&amp;b=2">gas</a>, <a href="javascript:x">no</a>
            <i>more</i>.<script>bad()</script><br><br>Second<br><strong>Tomorrow's picture:
            </strong><a href="https://science.nasa.gov/next/">next</a>
            """
        let html = try #require(
            try entry(basicElement("2026-09-24", ["explanation": explanation])).explanationHTML)

        #expect(html.contains("<a href=\"https://science.nasa.gov/image-article/a/\">star</a>"))
        #expect(html.contains("<a href=\"https://example.org/?a=1&amp;b=2\">gas</a>"))
        #expect(html.hasSuffix("<i>more</i>.<br><br>Second"))
        for word in ["Tomorrow", "next", "script", "onclick", "javascript", "bad()"] {
            #expect(!html.contains(word), "\(word)")
        }
    }

    @Test func aLinkInALinkIsLeftOut() throws {
        let explanation = "<a href='/a/'>one <b><a href='/b/'>two</a> three</b></a> four"
        let html = try entry(basicElement("2026-09-24", ["explanation": explanation]))
            .explanationHTML

        #expect(html == "<a href=\"https://science.nasa.gov/a/\">one <b>two</b></a> three four")
    }
}
