import APOD
import JSON
import Mirror
import Platform
import Testing

@testable import Views

/// Links between days: in texts, and back.
@Suite(.timeLimit(.minutes(10))) struct DayLinkTests {
    private static let text = "A comet, a cluster, a calendar, tomorrow and nothing."

    /// A text with links to days, to a month, to the future and to a day that never was.
    private static let html = """
        A <a href="https://science.nasa.gov/ap251120.html">comet</a>, \
        a <a href="https://apod.nasa.gov/apod/ap120503.html">cluster</a>, \
        a <a href="https://apod.nasa.gov/apod/calendar/ca2511.html">calendar</a>, \
        <a href="https://apod.nasa.gov/apod/ap940101.html">tomorrow</a> \
        and <a href="https://science.nasa.gov/ap950617.html">nothing</a>.
        """

    private func addLinks(to mirror: SampleMirror, _ day: Day, _ title: String) throws {
        try mirror.add(
            day, title,
            ["explanation": .string(Self.text), "explanation_html": .string(Self.html)])
    }

    /// The addresses of the links in the text of a page.
    private func links(_ page: String?, of day: String) -> [String] {
        let article = page?.split(separator: "id=\"\(day)\"").last?.split(separator: "</article>")
            .first
        let words = article?.split(separator: "<p>A <a").last?.split(separator: "</p>").first
        return "<a\(words ?? "")".split(separator: "href=\"").dropFirst().map {
            String($0.prefix { $0 != "\"" })
        }
    }

    /// Also one to a mirror of the old site, whether it is a known one, or one that a user named by `--mirrors`.
    @Test func aLinkToAMirroredDayOpensItInTheGallery() async throws {
        try await withMirror { mirror in
            try addLinks(to: mirror, day("2026-11-20"), "The Crab")
            let other = "https://mirror.example.edu/apod/"
            let html = """
                A <a href="https://apod.com/en/ap251120.html">a</a> \
                <a href="\(other)ap251120.html">b</a> <a href="ap251120.html">c</a> \
                <a href="\(other)ap120503.html">d</a>
                """
            try mirror.add(
                day("2026-11-19"), "The Veil",
                ["explanation": "A a b c d", "explanation_html": .string(html)])
            try mirror.add(day("2025-11-20"), "The Comet")
            try await mirror.refresh()

            let comet = "2025-11.html#2025-11-20"
            #expect(
                links(try mirror.text("gallery/2026-11.html"), of: "2026-11-19")
                    == [comet, comet, comet, "\(other)ap120503.html"])
            let nasa = "https://apod.nasa.gov/apod"
            #expect(
                links(try mirror.text("gallery/2026-11.html"), of: "2026-11-20") == [
                    "2025-11.html#2025-11-20", "\(nasa)/ap120503.html",
                    "\(nasa)/calendar/ca2511.html", "\(nasa)/ap940101.html",
                    "\(nasa)/ap950617.html",
                ])
            let link = "<a href=\"gallery/2025-11.html#2025-11-20\">comet</a>"
            #expect(try mirror.has(link, in: "index.html"))
        }
    }

    @Test func aLinkLeadsIntoTheGalleryOnceItsDayIsMirrored() async throws {
        try await withMirror { mirror in
            try addLinks(to: mirror, day("2024-11-20"), "The Crab")
            try await mirror.refresh()
            try mirror.add(day("2012-05-03"), "The Cluster")
            let written = try await mirror.refresh()

            #expect(written.contains("gallery/2024-11.html"))
            #expect(
                links(try mirror.text("gallery/2024-11.html"), of: "2024-11-20")
                    .contains("2012-05.html#2012-05-03"))
            // A day that is removed leaves no link behind.
            try mirror.tree.root.remove(Layout.recordPath(of: day("2012-05-03")))
            try await mirror.refresh()
            #expect(try !mirror.has("2012-05.html", in: "gallery/2024-11.html"))
            #expect(try mirror.text("gallery/2012-05.html") == nil)
        }
    }

    @Test func aDayListsTheLatestFiftyDaysThatMentionIt() async throws {
        try await withMirror { mirror in
            let path = "gallery/2025-11.html"
            try mirror.add(day("2025-11-20"), "The Comet")
            try await mirror.refresh()
            #expect(try !mirror.has("mention", in: path))
            for number in 0..<60 {
                try mirror.record(
                    day("2026-01-01").advanced(by: number), "\(SampleGallery.attack) \(number)",
                    ["explanation": .string(Self.text), "explanation_html": .string(Self.html)])
            }
            let written = try await mirror.refresh()
            let page = try #require(try mirror.text(path))

            #expect(written.contains(path))
            let list = try #require(
                page.split(separator: "<h3>Days that mention this one</h3>").last)
            let days = list.split(separator: "<li><a href=\"2026-").dropFirst()
            #expect(days.count == 50 && list.contains("and 10 more"))
            let latest = days.prefix(2).map { $0.prefix { $0 != "\"" } }
            #expect(latest == ["03.html#2026-03-01", "02.html#2026-02-28"])
            #expect(list.contains("onerror=&#39;window.ran=1&#39;"))
            #expect(try await mirror.refresh() == [])

            try mirror.tree.root.remove(Layout.recordPath(of: day("2026-02-28")))
            try await mirror.refresh()
            #expect(try !mirror.has("#2026-02-28", in: path))
        }
    }

    @Test func feedAndSidecarsHaveTheAddressOnTheWeb() async throws {
        try await withMirror { mirror in
            try mirror.add(day("2025-11-20"), "The Comet")
            try mirror.add(
                day("2026-11-20"), "The Crab",
                [
                    "explanation": .string(Self.text), "explanation_html": .string(Self.html),
                    "permalink": "https://science.nasa.gov/ap261120.html",
                ])
            var settings = ViewSettings()
            settings.writesSidecars = true
            for view in allViews { _ = try await mirror.update(view, settings) }

            let feed = try #require(try mirror.text("feed.xml"))
            #expect(feed.contains("https://apod.nasa.gov/apod/ap251120.html"))
            #expect(feed.contains("https://apod.nasa.gov/apod/calendar/ca2511.html"))
            let sidecar = try #require(
                try mirror.text("pictures/2026/2026-11/2026-11-20 The Crab.jpg.xmp"))
            #expect(sidecar.contains("https://apod.nasa.gov/apod/ap261120.html"))
            for file in [feed, sidecar] {
                #expect(!file.contains("science.nasa.gov/ap2"))
            }
        }
    }
}

/// Links between days in a browser.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct DayLinkBrowserTests {
    @Test func aLinkOpensItsDayAndEscapeReturns() async throws {
        try await withGallery(of: { mirror in
            let html = "A <a href=\"https://science.nasa.gov/ap251120.html\">comet</a>."
            try mirror.add(
                day("2026-11-20"), "The Crab",
                ["explanation": "A comet.", "explanation_html": .string(html)])
            try mirror.add(day("2025-11-20"), "The Comet")
        }) { _, tab in
            try await tab.open(day: "2026-11-20")
            try await tab.click(".day:target .words p a")
            try await tab.expect(isOpen("2025-11-20"))
            try await tab.photograph("mentions")
            try await tab.press("Escape")
            try await tab.expect(isOpen("2026-11-20"))

            try await tab.open(day: "2025-11-20")
            try await tab.click(".day:target h3 + .links a")
            try await tab.expect(isOpen("2026-11-20"))
            #expect(tab.complaints == [])
        }
    }
}
