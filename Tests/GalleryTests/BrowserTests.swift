import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

/// The gallery in a real browser, opened from the directory.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct BrowserTests {
    @Test(arguments: [(1280, 800, false), (390, 844, true)])
    func everyPageFitsTheScreen(_ width: Int, _ height: Int, _ isPhone: Bool) async throws {
        try await withGallery { _, tab in
            try await tab.size(width, height, isPhone: isPhone)
            for path in [
                "index.html", "gallery/2026.html", "gallery/2026-11.html",
                "gallery/2026-11.html#2026-11-20",
                "gallery/2026-11.html#2026-11-17", "gallery/2026-11.html#2026-11-13",
                "gallery/favorites.html", "gallery/objects.html",
                "gallery/search.html?q=the", "gallery/anyday.html#on-2026-11-20",
                "gallery/slideshow.html",
            ] {
                try await tab.open(path)
                try await tab.photograph("\(width) \(path.replacing("/", with: " "))")

                try await tab.expect("document.documentElement.scrollWidth <= innerWidth")
                #expect(try await tab.value(Self.smallTargets) == [], "\(path)")
            }
            #expect(tab.complaints == [])
        }
    }

    @Test func aDayShowsItsPictureOrVideoAndNothingElseIsRequested() async throws {
        try await withGallery { mirror, tab in
            let picture = "document.querySelector('.day:target .view img')"
            try await tab.open(day: "2026-11-20")
            try await tab.expect("\(picture).naturalWidth == 480")
            try await tab.expect("\(picture).alt", is: "A picture in words.")

            try await tab.open(day: "2026-11-16")
            let film = "pictures/2026/2026-11/2026-11-16%20A%20%25%20Film.mp4"
            try await tab.expect(
                "document.querySelector('.day:target video').src",
                is: .string(mirror.address(film)))
            try await tab.open(day: "2026-11-15")
            try await tab.expect(
                "document.querySelector('.day:target .play').href",
                is: "https://www.youtube.com/watch?v=dQw4w9WgXcQ")

            let foreign = tab.requests.filter { !$0.hasPrefix("file://\(mirror.root)/") }
            #expect(foreign == [] && tab.complaints == [])
        }
    }

    @Test func keysOpenTheNextAndThePreviousPictureEvenAcrossYears() async throws {
        try await withGallery { _, tab in
            try await tab.open("index.html")
            try await tab.click(".newest .picture")
            try await tab.expect(isOpen("2026-11-20"))
            try await tab.expect("document.title == 'The Crab # Nebula – 20 November 2026'")
            try await tab.press("ArrowRight")
            try await tab.expect(isOpen("2026-11-19"))
            try await expectLabels(tab)
            try await tab.expect("document.title == '天の川 over Mount Fuji – 19 November 2026'")
            try await tab.press("ArrowLeft")
            try await tab.expect(isOpen("2026-11-20"))

            try await tab.open(day: "2026-01-01")
            try await tab.press("ArrowRight")
            try await tab.expect(isOpen("2025-12-31"))
            try await tab.press("Escape")
            try await tab.expect("!document.querySelector('.day:target')")
            try await tab.expect("document.title.endsWith('Astronomy Picture of the Day')")
            try await tab.expect("document.activeElement.id == 'at-2025-12-31'")
        }
    }

    @Test func aKeyLeadsFromAnOpenedPictureToTheSearch() async throws {
        try await withGallery { _, tab in
            try await tab.open(day: "2026-11-19")
            try await tab.press("/", text: "/")
            try await tab.type("angstrom")
            try await tab.press("Enter")
            try await tab.expect("document.querySelectorAll('#results .card').length == 1")
            try await tab.click(".top nav a")
            try await tab.expect("document.querySelectorAll('.day').length == 2")
            #expect(tab.complaints == [])
        }
    }

    /// Expects labels at the links to the older and the newer picture.
    private func expectLabels(_ tab: Tab) async throws {
        for (kind, word) in [("next", "Older"), ("prev", "Newer")] {
            let link = "document.querySelector('.day:target .ways .\(kind)')"
            try await tab.expect("\(link).innerText.includes('\(word)')")
            try await tab.expect("\(link).getAttribute('aria-label').startsWith('\(word)')")
        }
    }

    @Test func swipesAndButtonsOpenTheNextAndThePreviousPicture() async throws {
        try await withGallery { _, tab in
            try await tab.size(390, 844, isPhone: true)
            try await tab.open(day: "2026-11-19")
            try await expectLabels(tab)
            try await tab.swipe(from: 320, to: 60)
            try await tab.expect(isOpen("2026-11-18"))
            try await tab.swipe(from: 60, to: 320)
            try await tab.expect(isOpen("2026-11-19"))
            try await tab.click(".day:target .ways .next")
            try await tab.expect(isOpen("2026-11-18"))
            try await tab.click(".day:target .ways .close")
            try await tab.expect("!document.querySelector('.day:target')")
        }
    }

    @Test func favoritesHaveAStarAndTheirOwnPage() async throws {
        try await withGallery { _, tab in
            func days(_ selector: String) -> String {
                "[...document.querySelectorAll('\(selector)')].map(d => d.id)"
            }
            try await tab.open("gallery/favorites.html")
            try await tab.expect(days(".day"), is: ["2026-11-19", "2025-12-31"])
            try await tab.expect("document.querySelectorAll('.tile .star').length", is: 2)
            try await tab.click(".card")
            try await tab.expect(isOpen("2026-11-19"))
            try await tab.press("ArrowRight")
            try await tab.expect(isOpen("2025-12-31"))

            try await tab.open("gallery/2026-11.html")
            try await tab.expect(days(".day:has(.tile .star)"), is: ["2026-11-19"])
        }
    }

    /// The Content-Security-Policy blocks markup that escaping would miss.
    @Test func foreignTextIsShownAndNotInterpreted() async throws {
        try await withGallery { _, tab in
            for path in ["index.html", "gallery/favorites.html", "gallery/2026-11.html#2026-11-18"]
            {
                try await tab.open(path)
                try await tab.expect("window.ran === undefined")
            }
            try await tab.expect(
                "document.querySelector('.day:target h2').textContent",
                is: .string(SampleGallery.attack))
            try await tab.expect(
                "document.querySelector('.day:target .view').textContent.includes('\\u2028</script>')"
            )
            try await tab.expect(
                "[...document.links].every(a => /^(file|https?):/.test(a.href))")
            #expect(tab.complaints == [])

            let script =
                "<img src=x onerror='window.ran = 1'><iframe srcdoc='<script>parent.ran = 1</script>'></iframe>"
            _ = try await tab.value("document.body.insertAdjacentHTML('beforeend', \"\(script)\")")
            try await tab.expect("document.querySelector('img[src=x]').complete")
            try await tab.expect("window.ran === undefined")
            #expect(tab.complaints.contains { $0.contains("Content Security Policy") })
        }
    }

    @Test func theGalleryWorksWithoutScripts() async throws {
        try await withGallery { _, tab in
            let view = "document.querySelector('.day:target .view')"
            try await tab.forbidScripts()
            try await tab.open("index.html")
            try await tab.click("#years .card")
            try await tab.expect("location.pathname.endsWith('/gallery/2026.html')")
            try await tab.click("[id='2026-11-20']")
            try await tab.expect(isOpen("2026-11-20", byScript: false))
            try await tab.expect("\(view).querySelector('img').naturalWidth == 480")
            try await tab.expect("\(view).innerText.includes('The second paragraph.')")
            try await tab.click(".day:target .next")
            try await tab.expect(isOpen("2026-11-19", byScript: false))
            try await tab.click(".day:target .close")
            try await tab.expect("!document.querySelector('.day:target')")
        }
    }

    // MARK: What is loaded

    /// Adds so many days of 2024, with texts of the usual length and the same picture.
    private static func addYear(to mirror: SampleMirror, days: Int = 120) throws {
        let text = String(repeating: "Filaments of a star. ", count: 50)
        let picture = Drawing(seed: 1, width: 48, height: 32).encoded()
        for number in 0..<days {
            let day = day("2024-01-01").advanced(by: number)
            let (folder, name) = (Layout.folder(Layout.pictures, of: day), "\(day) Day.jpg")
            try mirror.tree.root.makeDirectory(folder).open(name, O_WRONLY | O_CREAT)
                .write(picture, path: name)
            let record: JSON = [
                "explanation": .string(text), "credit": "Somebody with a Telescope",
                "picture": [
                    "path": .string("\(folder)/\(name)"), "bytes": .integer(picture.count),
                    "sha256": "", "type": "image/jpeg", "width": 48, "height": 32,
                    "origin": "http://127.0.0.1/",
                ],
            ]
            try mirror.record(day, "Day \(number) in Many Colors", record)
        }
    }

    @Test(arguments: [
        "gallery/2024.html#2024-02-03", "gallery/2024-02.html#2024-02-03",
        "gallery/2024-02.html?q=star#2024-02-03",
    ])
    func anAddressOfADayLoadsItsPictureAndNoOther(_ address: String) async throws {
        try await withGallery(of: { try Self.addYear(to: $0) }) { _, tab in
            try await tab.open(address)
            try await tab.expect(isOpen("2024-02-03"))
            try await tab.expect(
                "document.querySelector('.day:target .picture img').naturalWidth == 48")
            #expect(tab.requests.count { $0.contains("/pictures/") } == 1)
            #expect(tab.requests.count <= 11)
            #expect(tab.complaints == [])

            try await tab.press("Escape")
            try await tab.expect("document.activeElement.id == 'at-2024-02-03'")
            try await tab.expect("document.querySelector('#at-2024-02-03 img').naturalWidth == 48")
        }
    }

    @Test func aMonthIsReachedByItsNameAndByItsDateInAPageOfAYearThatIsSmall() async throws {
        try await withGallery(of: { try Self.addYear(to: $0, days: 366) }) { mirror, tab in
            try await tab.prefer("light")
            for month in ["february", "2024-02"] {
                try await tab.open("about:blank")
                try await tab.open("gallery/2024.html#\(month)")
                let top = "document.querySelector('#february h2').getBoundingClientRect().top"
                try await tab.expect("\(top) >= 0 && \(top) < 200")
            }
            let page = try #require(try mirror.text("gallery/2024.html"))
            #expect(page.utf8.count < 400_000)
            try await tab.expect("document.querySelectorAll('*').length < 4000")
            try await tab.expect("document.querySelectorAll('.card').length", is: 366)
        }
    }

    /// Each year is a script and a picture.
    @Test func anAddressOfAnyDayLoadsFewYearsAtFirst() async throws {
        try await withGallery(of: { mirror in
            for year in 2001...2024 {
                try mirror.add(day("\(year)-02-03"), "The Third of February \(year)")
            }
        }) { _, tab in
            let titles = "[...document.querySelectorAll('#results .name')].map(n => n.textContent)"
            try await tab.open("gallery/anyday.html#on-2003-02-03")
            try await tab.expect("\(titles).length == 12")
            try await tab.expect(
                "\(titles).slice(0, 2)",
                is: ["The Third of February 2003", "The Third of February 2024"])
            try await tab.expect(
                "[...document.querySelectorAll('#results img')].every(i => i.naturalWidth)")
            #expect(tab.requests.count <= 40)

            try await tab.click("#more")
            try await tab.expect("\(titles).length == 24")
            try await tab.expect("!more.checkVisibility()")
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
