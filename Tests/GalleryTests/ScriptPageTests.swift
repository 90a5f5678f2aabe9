import JSON
import Mirror
import Platform
import TestSupport
import Testing

/// The pages created by scripts: any day and the slideshow.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct ScriptPageTests {
    private let cards = "[...document.querySelectorAll('#results .card')]"

    @Test func aDateShowsTheSameDayOfAllYears() async throws {
        try await withGallery(of: { mirror in
            try SampleGallery.fill(mirror)
            try mirror.add(day("2025-11-20"), "A Year Before")
            try mirror.add(day("2019-11-20"), SampleGallery.attack)
        }) { _, tab in
            try await tab.open("gallery/anyday.html#on-2025-11-20")
            try await tab.expect("\(cards).length == 3")
            try await tab.expect(
                "\(cards).map(c => c.querySelector('.name').textContent)",
                is: ["A Year Before", "The Crab # Nebula", .string(SampleGallery.attack)])
            try await tab.photograph("any-day")
            try await tab.click("#results .card:nth-child(2)")
            try await tab.expect(isOpen("2026-11-20"))

            try await tab.open("gallery/anyday.html#on-2024-11-20")
            try await tab.expect("\(cards).length == 3 && !random.disabled")
            try await tab.expect("found.textContent.includes('does not have 20 November 2024')")
            try await tab.click("#random")
            try await tab.expect("document.querySelector('.day:target .view[open]')")
            try await tab.expect("window.ran === undefined")
            #expect(tab.complaints == [])
        }
    }

    private static let isReady = "!document.querySelector('#slideshow button').disabled"

    @Test func aSlideshowShowsThePicturesOfTheChoice() async throws {
        try await withGallery { mirror, tab in
            // A missing picture is skipped.
            let folder = "pictures/2026/2026-11"
            for name in try mirror.tree.root.folder(folder)?.textNames() ?? []
            where name.hasPrefix("2026-11-18") {
                try mirror.write([], to: "\(folder)/\(name)")
            }
            func expect(_ words: String) async throws {
                try await tab.expect(
                    "caption.textContent.startsWith('\(words)') && stage.querySelector('img')")
            }
            try await tab.open("gallery/slideshow.html#2026")
            try await tab.expect(Self.isReady)
            _ = try await tab.value("form.elements.order.value = 'newest'")
            try await tab.click("#slideshow button")
            try await expect("The Crab # Nebula, 20 November 2026")
            try await tab.photograph("slideshow")
            try await tab.press(" ")
            try await tab.expect("isPaused")
            for (key, words) in [
                ("ArrowRight", "天の川"), ("ArrowRight", "A % Film"), ("ArrowLeft", "天の川"),
            ] {
                try await tab.press(key)
                try await expect(words)
            }
            try await tab.press("Escape")
            try await tab.expect("stage.hidden")

            _ = try await tab.value(
                "choice.value = 'favorites'; form.elements.order.value = 'oldest'; 1")
            try await tab.click("#slideshow button")
            try await expect("Ångström")
            try await tab.click("#stage")
            try await expect("天の川")
            try await tab.click("#stage")
            try await expect("Ångström")
        }
    }

    @Test func aSlideshowWithoutPicturesShowsAMessage() async throws {
        try await withGallery(of: { mirror in
            try mirror.add(day("2026-11-20"), "The Crab")
            for name in try mirror.tree.root.folder("pictures/2026/2026-11")?.textNames() ?? [] {
                try mirror.write([], to: "pictures/2026/2026-11/\(name)")
            }
        }) { _, tab in
            try await tab.open("gallery/slideshow.html#favorites")
            try await tab.expect(Self.isReady)
            try await tab.click("#slideshow button")
            try await tab.expect("problem.textContent && stage.hidden")
            _ = try await tab.value("choice.value = 'all'; problem.textContent = ''; 1")
            try await tab.click("#slideshow button")
            try await tab.expect("problem.textContent && stage.hidden")
        }
    }

    @Test func theCalendarOfAYearLinksToItsDays() async throws {
        try await withGallery { _, tab in
            try await tab.open("gallery/2026.html")
            try await tab.expect(
                "[...document.querySelectorAll('.sheet')].map(s => s.querySelectorAll('a').length).join()",
                is: "4,3,3,4,3,3,8")
            // 1 November 2026 is a Sunday.
            try await tab.click(".calendar summary")
            func left(_ selector: String) -> String {
                "document.querySelector(`.sheet:last-child \(selector)`).getBoundingClientRect().left"
            }
            try await tab.expect("\(left("p > :first-child")) > \(left("[href$='#2026-11-20']"))")
            try await tab.photograph("calendar")
            try await tab.click(".sheet a[href$='#2026-11-19']")
            try await tab.expect(isOpen("2026-11-19"))
            #expect(tab.complaints == [])
        }
    }
}

/// Zooming into the opened picture.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct ZoomTests {
    private let image = "document.querySelector('.day:target .picture img')"

    @Test func aPictureIsZoomedByClicksWheelAndKeys() async throws {
        try await withGallery { _, tab in
            try await tab.open(day: "2026-11-20")
            try await tab.expect("\(image).naturalWidth")
            let before = try await tab.value("location.href")

            try await tab.click(".day:target .picture img")
            try await tab.expect("zoom.scale >= 2.5")
            try await tab.photograph("zoomed")
            try await tab.click(".day:target .picture a")
            try await tab.expect("zoom.scale == 1")

            try await tab.turnWheel(by: -500, at: (400, 400))
            try await tab.expect("zoom.scale > 2")
            _ = try await tab.value("before = zoom.x")
            try await tab.drag(from: (500, 400), to: (420, 400))
            try await tab.expect("zoom.x < before")
            // The end of the drag is not a click.
            try await tab.expect("zoom.scale > 2", is: true)
            try await tab.press("ArrowLeft")
            try await tab.expect("location.href", is: before)
            try await tab.press("Escape")
            try await tab.expect("zoom.scale == 1")
            try await tab.expect(isOpen("2026-11-20"), is: true)

            for (key, scale) in [("+", "1.5"), ("-", "1"), ("+", "1.5"), ("0", "1")] {
                try await tab.press(key, text: key)
                try await tab.expect("zoom.scale == \(scale)")
            }
            try await tab.press("ArrowRight")
            try await tab.expect(isOpen("2026-11-19"))
            #expect(tab.complaints == [])
        }
    }

    @Test func aPictureIsZoomedByTapsAndPinching() async throws {
        try await withGallery { _, tab in
            try await tab.size(390, 844, isPhone: true)
            try await tab.open(day: "2026-11-20")
            try await tab.expect("\(image).naturalWidth")

            // Two taps zoom in, two more out.
            for isZoomed in [true, false] {
                try await tab.tapTwice((200, 130))
                try await tab.expect("(zoom.scale >= 2.5) == \(isZoomed)")
                // The next tap is separate.
                try await tab.expect("performance.now() - lastClick > 600")
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
            try await tab.expect("zoom.scale > 3 && zoom.scale < 5")
            try await tab.expect("Math.abs(\(between) - before) < 0.02")
            // It fills the screen except for the links to other pictures.
            let box = "document.querySelector('.zoomed').getBoundingClientRect()"
            try await tab.expect(
                "\(box).top == 0 && \(box).width == innerWidth && \(box).height > 700")
            try await tab.expect("visualViewport.scale", is: 1)

            _ = try await tab.value("[before, scale] = [zoom.x, zoom.scale]; 1")
            try await tab.touch([[(200, 130)], [(180, 130)], [(150, 130)]])
            try await tab.expect("before - zoom.x > 20 && zoom.scale == scale")
            try await tab.expect(isOpen("2026-11-20"), is: true)

            try await tab.touch([
                [(60, 130), (340, 130)], [(150, 130), (250, 130)], [(190, 130), (210, 130)],
            ])
            try await tab.expect("zoom.scale == 1")
            // Without zoom, a swipe opens another picture again.
            try await tab.swipe(from: 300, to: 100)
            try await tab.expect(isOpen("2026-11-19"))
            #expect(tab.complaints == [])
        }
    }

    @Test func zoomingARenditionLoadsTheOriginal() async throws {
        try await withGallery(of: SampleGallery.addLarge) { mirror, tab in
            try await tab.open(day: "2026-11-20")
            try await tab.expect("\(image).naturalWidth == 160")
            let original = "pictures/2026/2026-11/2026-11-20%20The%20Crab.jpg"
            #expect(!tab.requests.contains { $0.hasSuffix(original) })

            try await tab.click(".day:target .picture img")
            try await tab.expect("\(image).naturalWidth == 480 && zoom.scale > 1")
            #expect(tab.requests.contains { $0.hasSuffix(original) })
            #expect(tab.complaints == [])

            // The page may be older than the removal of the rendition.
            try mirror.tree.root.remove(Rendition.path(of: day("2026-11-20")))
            try await tab.open("about:blank")
            try await tab.open(day: "2026-11-20")
            try await tab.expect("\(image).naturalWidth == 480")
        }
    }

    @Test func theCommandThatAddsAFavoriteIsCopied() async throws {
        try await withGallery { _, tab in
            try await tab.open(day: "2026-11-20")
            let line = "document.querySelector('.day:target .command')"
            let command: JSON = "apod-mirror favorites add 2026-11-20"
            try await tab.expect("\(line).querySelector('code').textContent", is: command)
            try await tab.click(".day:target .command button")
            try await tab.expect("\(line).querySelector('button').textContent == 'Copied'")
            try await tab.expect("getSelection().toString()", is: command)
            try await tab.photograph("opened")

            try await tab.open(day: "2026-11-19")
            try await tab.expect(
                "\(line).querySelector('code').textContent",
                is: "apod-mirror favorites remove 2026-11-19")
        }
    }
}
