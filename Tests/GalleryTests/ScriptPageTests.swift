import JSON
import Mirror
import Platform
import TestSupport
import Testing

/// The pages created by scripts: any day and the slideshow.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct ScriptPageTests {
    private let cards = "[...document.querySelectorAll('#results .card')]"

    @Test func aDateShowsTheSameDayOfAllYears() async throws {
        try await withMirror { mirror in
            try await SampleGallery.make(in: mirror)
            try mirror.add(day("2025-11-20"), "A Year Before")
            try mirror.add(day("2019-11-20"), SampleGallery.attack)
            try await mirror.refresh()
            try await withBrowser { tab in
                try await tab.open(mirror.address("gallery/anyday.html#on-2025-11-20"))
                #expect(try await tab.waits(for: "\(cards).length == 3"))
                #expect(
                    try await tab.value("\(cards).map(c => c.querySelector('.name').textContent)")
                        == ["A Year Before", "The Crab # Nebula", .string(SampleGallery.attack)])
                try await tab.photograph("any-day")
                try await tab.click("#results .card:nth-child(2)")
                #expect(try await tab.waits(for: isOpen("2026-11-20")))

                try await tab.open(mirror.address("gallery/anyday.html#on-2024-11-20"))
                #expect(try await tab.waits(for: "\(cards).length == 3 && !random.disabled"))
                let words = try await tab.value("found.textContent").string ?? ""
                #expect(words.contains("does not have 20 November 2024"))
                try await tab.click("#random")
                #expect(
                    try await tab.waits(for: "document.querySelector('.day:target .view[open]')"))
                #expect(try await tab.holds("window.ran === undefined"))
                #expect(tab.complaints == [])
            }
        }
    }

    @Test func aMalformedFragmentStopsNoScript() async throws {
        try await withGallery { mirror, tab in
            try await tab.open(mirror.address("gallery/slideshow.html#%"))
            #expect(
                try await tab.waits(for: "!document.querySelector('#slideshow button').disabled"))
            for page in ["index.html", "gallery/2026.html", "gallery/anyday.html"] {
                try await tab.open(mirror.address("\(page)#%"))
            }
            #expect(tab.complaints == [])
        }
    }

    @Test func aSlideshowShowsThePicturesOfTheChoice() async throws {
        try await withGallery { mirror, tab in
            // A missing picture is skipped.
            let gone = "pictures/2026/2026-11/2026-11-18"
            for name in try mirror.tree.root.folder("pictures/2026/2026-11")?.textNames() ?? []
            where "pictures/2026/2026-11/\(name)".hasPrefix(gone) {
                try mirror.write([], to: "pictures/2026/2026-11/\(name)")
            }
            try await tab.open(mirror.address("gallery/slideshow.html#2026"))
            #expect(
                try await tab.waits(for: "!document.querySelector('#slideshow button').disabled"))
            _ = try await tab.value("form.elements.order.value = 'newest'")
            try await tab.click("#slideshow button")
            func shows(_ words: String) async throws -> Bool {
                try await tab.waits(
                    for: "caption.textContent.startsWith('\(words)') && stage.querySelector('img')")
            }
            #expect(try await shows("The Crab # Nebula, 20 November 2026"))
            try await tab.photograph("slideshow")
            try await tab.press(" ")
            #expect(try await tab.holds("isPaused"))
            try await tab.press("ArrowRight")
            #expect(try await shows("天の川"))
            try await tab.press("ArrowRight")
            #expect(try await shows("A % Film"))
            try await tab.press("ArrowLeft")
            #expect(try await shows("天の川"))
            try await tab.press("Escape")
            #expect(try await tab.waits(for: "stage.hidden"))

            _ = try await tab.value(
                "choice.value = 'favorites'; form.elements.order.value = 'oldest'; 1")
            try await tab.click("#slideshow button")
            #expect(try await shows("Ångström"))
            try await tab.click("#stage")
            #expect(try await shows("天の川"))
            try await tab.click("#stage")
            #expect(try await shows("Ångström"))
        }
    }

    @Test func aSlideshowEndsWithoutAKey() async throws {
        try await withGallery { mirror, tab in
            try await tab.size(390, 844, isPhone: true)
            try await tab.open(mirror.address("gallery/slideshow.html"))
            let start = "document.querySelector('#slideshow button')"
            #expect(try await tab.waits(for: "!\(start).disabled"))
            try await tab.click("#slideshow button")
            #expect(try await tab.waits(for: "stage.querySelector('img')"))
            try await tab.click("#stage button")
            #expect(try await tab.waits(for: "stage.hidden"))
            #expect(tab.complaints == [])
        }
    }

    @Test func aSlideshowWithoutPicturesShowsAMessage() async throws {
        try await withMirror { mirror in
            try mirror.add(day("2026-11-20"), "The Crab")
            try await mirror.refresh()
            for name in try mirror.tree.root.folder("pictures/2026/2026-11")?.textNames() ?? [] {
                try mirror.write([], to: "pictures/2026/2026-11/\(name)")
            }
            try await withBrowser { tab in
                try await tab.open(mirror.address("gallery/slideshow.html#favorites"))
                #expect(
                    try await tab.waits(
                        for: "!document.querySelector('#slideshow button').disabled"))
                try await tab.click("#slideshow button")
                #expect(try await tab.waits(for: "problem.textContent && stage.hidden"))
                _ = try await tab.value("choice.value = 'all'; problem.textContent = ''; 1")
                try await tab.click("#slideshow button")
                #expect(try await tab.waits(for: "problem.textContent && stage.hidden"))
            }
        }
    }

    @Test func theCalendarOfAYearLinksToItsDays() async throws {
        try await withGallery { mirror, tab in
            try await tab.open(mirror.address("gallery/2026.html"))
            #expect(
                try await tab.value(
                    "[...document.querySelectorAll('.sheet')].map(s => s.querySelectorAll('a').length).join()"
                ) == "4,3,3,4,3,3,8")
            // 1 November 2026 is a Sunday.
            try await tab.click(".calendar summary")
            let first = ".sheet:last-child p > :first-child"
            #expect(
                try await tab.holds(
                    "document.querySelector('\(first)').getBoundingClientRect().left > document.querySelector('.sheet:last-child [href$=\"#2026-11-20\"]').getBoundingClientRect().left"
                ))
            try await tab.photograph("calendar")
            try await tab.click(".sheet a[href$='#2026-11-19']")
            #expect(try await tab.waits(for: isOpen("2026-11-19")))
            #expect(tab.complaints == [])
        }
    }
}

/// Zooming into the opened picture.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct ZoomTests {
    private let image = "document.querySelector('.day:target .picture img')"

    @Test func aPictureIsZoomedByClicksWheelAndKeys() async throws {
        try await withGallery { mirror, tab in
            try await tab.open(mirror.address("gallery/2026-11.html#2026-11-20"))
            #expect(try await tab.waits(for: "\(isOpen("2026-11-20")) && \(image).naturalWidth"))
            let before = try await tab.value("location.href")

            try await tab.click(".day:target .picture img")
            #expect(try await tab.holds("zoom.scale >= 2.5"))
            try await tab.photograph("zoomed")
            try await tab.click(".day:target .picture a")
            #expect(try await tab.holds("zoom.scale == 1"))

            try await tab.turnWheel(by: -500, at: (400, 400))
            #expect(try await tab.waits(for: "zoom.scale > 2"))
            _ = try await tab.value("before = zoom.x")
            try await tab.drag(from: (500, 400), to: (420, 400))
            #expect(try await tab.holds("zoom.x < before"))
            // The end of the drag is not a click.
            #expect(try await tab.holds("zoom.scale > 2"))
            try await tab.press("ArrowLeft")
            #expect(try await tab.value("location.href") == before)
            try await tab.press("Escape")
            #expect(try await tab.holds("zoom.scale == 1"))
            #expect(try await tab.value(isOpen("2026-11-20")) == true)

            try await tab.press("+", text: "+")
            #expect(try await tab.holds("zoom.scale == 1.5"))
            try await tab.press("-", text: "-")
            #expect(try await tab.holds("zoom.scale == 1"))
            try await tab.press("+", text: "+")
            try await tab.press("0", text: "0")
            #expect(try await tab.holds("zoom.scale == 1"))
            try await tab.press("ArrowRight")
            #expect(try await tab.waits(for: isOpen("2026-11-19")))
            #expect(tab.complaints == [])
        }
    }

    @Test func aPictureIsZoomedByTapsAndPinching() async throws {
        try await withGallery { mirror, tab in
            try await tab.size(390, 844, isPhone: true)
            try await tab.open(mirror.address("gallery/2026-11.html#2026-11-20"))
            #expect(try await tab.waits(for: "\(isOpen("2026-11-20")) && \(image).naturalWidth"))

            // Two taps zoom in, two more out.
            for isZoomed in [true, false] {
                try await tab.tapTwice((200, 130))
                #expect(try await tab.waits(for: "(zoom.scale >= 2.5) == \(isZoomed)"))
                // The next tap is separate.
                #expect(try await tab.waits(for: "performance.now() - lastClick > 600"))
            }

            // The point between two fingers does not move.
            let between = """
                (() => { const r = \(image).getBoundingClientRect();
                return (200 - r.left) / r.width; })()
                """
            _ = try await tab.value("before = \(between)")
            try await tab.touch([
                [(180, 130), (220, 130)], [(150, 130), (250, 130)], [(120, 130), (280, 130)],
            ])
            #expect(try await tab.holds("zoom.scale > 3 && zoom.scale < 5"))
            #expect(try await tab.holds("Math.abs(\(between) - before) < 0.02"))
            // It fills the screen except for the links to other pictures.
            let box = "document.querySelector('.zoomed').getBoundingClientRect()"
            #expect(
                try await tab.holds(
                    "\(box).top == 0 && \(box).width == innerWidth && \(box).height > 700"))
            #expect(try await tab.value("visualViewport.scale") == 1)

            _ = try await tab.value("[before, scale] = [zoom.x, zoom.scale]; 1")
            try await tab.touch([[(200, 130)], [(180, 130)], [(150, 130)]])
            #expect(try await tab.holds("before - zoom.x > 20 && zoom.scale == scale"))
            #expect(try await tab.value(isOpen("2026-11-20")) == true)

            try await tab.touch([
                [(60, 130), (340, 130)], [(150, 130), (250, 130)], [(190, 130), (210, 130)],
            ])
            #expect(try await tab.holds("zoom.scale == 1"))
            // Without zoom, a swipe opens another picture again.
            try await tab.swipe(from: 300, to: 100)
            #expect(try await tab.waits(for: isOpen("2026-11-19")))
            #expect(tab.complaints == [])
        }
    }

    @Test func zoomingARenditionLoadsTheOriginal() async throws {
        try await withMirror { mirror in
            try SampleGallery.addLarge(to: mirror)
            try await mirror.refresh()
            try await withBrowser { tab in
                try await tab.open(mirror.address("gallery/2026-11.html#2026-11-20"))
                #expect(
                    try await tab.waits(for: "\(isOpen("2026-11-20")) && \(image).naturalWidth"))
                let original = "pictures/2026/2026-11/2026-11-20%20The%20Crab.jpg"
                #expect(try await tab.value("\(image).naturalWidth") == 160)
                #expect(!tab.requests.contains { $0.hasSuffix(original) })

                try await tab.click(".day:target .picture img")
                #expect(try await tab.holds("zoom.scale > 1"))
                #expect(try await tab.waits(for: "\(image).naturalWidth == 480"))
                #expect(tab.requests.contains { $0.hasSuffix(original) })
                #expect(try await tab.holds("zoom.scale > 1"))
                #expect(tab.complaints == [])

                // The page may be older than the removal of the rendition.
                let (folder, name) = Layout.split(Rendition.path(of: day("2026-11-20")))
                try mirror.tree.root.folder(folder)?.remove(name)
                try await tab.open("about:blank")
                try await tab.open(mirror.address("gallery/2026-11.html#2026-11-20"))
                #expect(try await tab.waits(for: "\(image).naturalWidth == 480"))
            }
        }
    }

    @Test func theCommandThatAddsAFavoriteIsCopied() async throws {
        try await withGallery { mirror, tab in
            try await tab.open(mirror.address("gallery/2026-11.html#2026-11-20"))
            #expect(try await tab.waits(for: isOpen("2026-11-20")))
            let command = "document.querySelector('.day:target .command code').textContent"
            #expect(try await tab.value(command) == "apod-mirror favorites add 2026-11-20")
            try await tab.click(".day:target .command button")
            #expect(
                try await tab.waits(
                    for:
                        "document.querySelector('.day:target .command button').textContent == 'Copied'"
                ))
            #expect(
                try await tab.value("getSelection().toString()")
                    == "apod-mirror favorites add 2026-11-20")
            try await tab.photograph("opened")

            try await tab.open(mirror.address("gallery/2026-11.html#2026-11-19"))
            #expect(try await tab.waits(for: isOpen("2026-11-19")))
            #expect(try await tab.value(command) == "apod-mirror favorites remove 2026-11-19")
        }
    }
}
