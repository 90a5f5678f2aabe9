import APOD
import Glibc
import JSON
import Mirror
import Platform
import TestSupport
import Testing

/// The gallery in a real browser, opened from the directory.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct BrowserTests {
    @Test(arguments: [(1280, 800, false), (390, 844, true)])
    func everyPageFitsTheScreen(_ width: Int, _ height: Int, _ isPhone: Bool) async throws {
        try await withGallery { mirror, tab in
            try await tab.size(width, height, isPhone: isPhone)
            for path in [
                "index.html", "gallery/2026.html", "gallery/2026-11.html",
                "gallery/2026-11.html#2026-11-20",
                "gallery/2026-11.html#2026-11-17", "gallery/2026-11.html#2026-11-13",
                "gallery/favorites.html",
                "gallery/search.html?q=the", "gallery/anyday.html#on-2026-11-20",
                "gallery/slideshow.html",
            ] {
                try await tab.open(mirror.address(path))
                try await tab.photograph("\(width) \(path.replacing("/", with: " "))")

                #expect(try await tab.holds("document.documentElement.scrollWidth <= innerWidth"))
                #expect(try await tab.value(Self.smallTargets) == [], "\(path)")
            }
            #expect(tab.complaints == [])
        }
    }

    @Test func picturesAreShownAndNothingElseIsRequested() async throws {
        try await withGallery { mirror, tab in
            try await tab.open(mirror.address("gallery/2026-11.html#2026-11-20"))

            #expect(
                try await tab.waits(
                    for: "document.querySelector('.day:target .view img').naturalWidth == 480"))
            #expect(
                try await tab.value("document.querySelector('.day:target .view img').alt")
                    == "A picture in words.")
            // The browser's own video controls use `data:` URLs.
            let requests = tab.requests.filter { !$0.hasPrefix("data:") }
            #expect(
                requests.allSatisfy { $0.hasPrefix("file://\(mirror.root)/") }, "\(requests)")
            #expect(tab.complaints == [])
        }
    }

    @Test func keysOpenTheNextAndThePreviousPictureEvenAcrossYears() async throws {
        try await withGallery { mirror, tab in
            try await tab.open(mirror.address("index.html"))
            try await tab.click(".newest .picture")
            #expect(try await tab.waits(for: isOpen("2026-11-20")))
            try await tab.press("ArrowRight")
            #expect(try await tab.waits(for: isOpen("2026-11-19")))
            try await tab.press("ArrowLeft")
            #expect(try await tab.waits(for: isOpen("2026-11-20")))

            try await tab.open(mirror.address("gallery/2026-01.html#2026-01-01"))
            #expect(try await tab.waits(for: isOpen("2026-01-01")))
            try await tab.press("ArrowRight")
            #expect(try await tab.waits(for: isOpen("2025-12-31")))
            try await tab.press("Escape")
            #expect(try await tab.waits(for: "!document.querySelector('.day:target')"))
            #expect(try await tab.waits(for: "document.activeElement.id == 'at-2025-12-31'"))
        }
    }

    @Test func swipesAndButtonsOpenTheNextAndThePreviousPicture() async throws {
        try await withGallery { mirror, tab in
            try await tab.size(390, 844, isPhone: true)
            try await tab.open(mirror.address("gallery/2026-11.html#2026-11-19"))
            try await tab.swipe(from: 320, to: 60)
            #expect(try await tab.waits(for: isOpen("2026-11-18")))
            try await tab.swipe(from: 60, to: 320)
            #expect(try await tab.waits(for: isOpen("2026-11-19")))
            try await tab.click(".day:target .ways .next")
            #expect(try await tab.waits(for: isOpen("2026-11-18")))
            try await tab.click(".day:target .ways .close")
            #expect(try await tab.waits(for: "!document.querySelector('.day:target')"))
        }
    }

    @Test func favoritesHaveAStarAndTheirOwnPage() async throws {
        try await withGallery { mirror, tab in
            try await tab.open(mirror.address("gallery/favorites.html"))
            #expect(
                try await tab.value("[...document.querySelectorAll('.day')].map(d => d.id)") == [
                    "2026-11-19", "2025-12-31",
                ])
            #expect(try await tab.value("document.querySelectorAll('.tile .star').length") == 2)
            try await tab.click(".card")
            #expect(try await tab.waits(for: isOpen("2026-11-19")))
            try await tab.press("ArrowRight")
            #expect(try await tab.waits(for: isOpen("2025-12-31")))

            try await tab.open(mirror.address("gallery/2026-11.html"))
            #expect(
                try await tab.value(
                    "[...document.querySelectorAll('.day:has(.tile .star)')].map(d => d.id)") == [
                        "2026-11-19"
                    ])
        }
    }

    @Test func foreignTextIsShownAndNotInterpreted() async throws {
        try await withGallery { mirror, tab in
            for path in ["index.html", "gallery/2026-11.html#2026-11-18", "gallery/favorites.html"]
            {
                try await tab.open(mirror.address(path))
                #expect(try await tab.holds("window.ran === undefined"))
            }
            try await tab.open(mirror.address("gallery/2026-11.html#2026-11-18"))
            #expect(
                try await tab.value("document.querySelector('.day:target h3').textContent")
                    == .string(SampleGallery.attack))
            #expect(
                try await tab.holds(
                    "document.querySelector('.day:target .view').textContent.includes('\\u2028</script>')"
                ))
            #expect(
                try await tab.value(
                    "[...document.links].filter(a => !/^(file|https?):/.test(a.href)).length") == 0)
            #expect(tab.complaints == [])
        }
    }

    /// The Content-Security-Policy blocks markup that escaping would miss.
    @Test func injectedMarkupDoesNotRun() async throws {
        try await withGallery { mirror, tab in
            try await tab.open(mirror.address("index.html"))
            let script =
                "<img src=x onerror='window.ran = 1'><iframe srcdoc='<script>parent.ran = 1</script>'></iframe>"
            _ = try await tab.value("document.body.insertAdjacentHTML('beforeend', \"\(script)\")")

            #expect(try await tab.waits(for: "document.querySelector('img[src=x]').complete"))
            #expect(try await tab.holds("window.ran === undefined"))
            #expect(tab.complaints.contains { $0.contains("Content Security Policy") })
        }
    }

    @Test func theGalleryWorksWithoutScripts() async throws {
        try await withGallery { mirror, tab in
            try await tab.forbidScripts()
            try await tab.open(mirror.address("index.html"))
            try await tab.click("#years .card")
            #expect(try await tab.waits(for: "location.pathname.endsWith('/gallery/2026.html')"))
            try await tab.click("[id='2026-11-20']")
            #expect(try await tab.waits(for: isOpen("2026-11-20", byScript: false)))
            #expect(
                try await tab.waits(
                    for: "document.querySelector('.day:target .view img').naturalWidth == 480"))
            #expect(
                try await tab.holds(
                    "document.querySelector('.day:target .words').innerText.includes('The second paragraph.')"
                ))
            try await tab.click(".day:target .next")
            #expect(try await tab.waits(for: isOpen("2026-11-19", byScript: false)))
            try await tab.click(".day:target .close")
            #expect(try await tab.waits(for: "!document.querySelector('.day:target')"))
        }
    }

    @Test(.enabled(if: WebServer.isPossible, "needs python3"))
    func theGalleryWorksOnAWebServer() async throws {
        try await withGallery { mirror, tab in
            let server = try WebServer(of: mirror.root)
            try await tab.open("\(server.origin)/")
            try await tab.click(".newest .picture")
            #expect(try await tab.waits(for: isOpen("2026-11-20")))
            #expect(
                try await tab.waits(
                    for: "document.querySelector('.day:target .view img').naturalWidth == 480"))
            try await tab.press("ArrowRight")
            #expect(try await tab.waits(for: isOpen("2026-11-19")))
            try await tab.press("/", text: "/")
            try await tab.type("angstrom")
            try await tab.press("Enter")
            #expect(
                try await tab.waits(for: "document.querySelectorAll('#results .card').length == 1"))
            try await tab.click(".top nav a")
            #expect(try await tab.waits(for: "document.querySelectorAll('.day').length == 2"))

            #expect(tab.requests.allSatisfy { $0.hasPrefix(server.origin) }, "\(tab.requests)")
            #expect(tab.complaints == [])
            withExtendedLifetime(server) {}
        }
    }

    @Test func aStoredVideoIsPlayedAndAnExternalOneIsALink() async throws {
        try await withGallery { mirror, tab in
            try await tab.open(mirror.address("gallery/2026-11.html#2026-11-16"))
            #expect(
                try await tab.value("document.querySelector('.day:target video').src")
                    == .string(
                        mirror.address("pictures/2026/2026-11/2026-11-16%20A%20%25%20Film.mp4")))
            try await tab.open(mirror.address("gallery/2026-11.html#2026-11-15"))
            #expect(
                try await tab.value("document.querySelector('.day:target .play').href")
                    == "https://www.youtube.com/watch?v=dQw4w9WgXcQ")
        }
    }

    /// The targets that are smaller than a finger.
    private static let smallTargets = """
        [...document.querySelectorAll('a, button, input')].filter(e => e.checkVisibility())
            .filter(e => !e.closest('p, h2, .links')).map(e => [e, e.getBoundingClientRect()])
            .filter(([e, r]) => r.width && (r.height < 40 || r.width < 30))
            .map(([e, r]) => `${e.outerHTML.slice(0, 80)} ${r.width} x ${r.height}`)
        """
}
