import JSON
import Mirror
import Platform
import Testing

/// Zooming into the opened picture.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct ZoomTests {
    private let image = "document.querySelector('.day:target .picture img')"
    private let box = "document.querySelector('.day:target .picture')"

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
            let frame = "document.querySelector('.zoomed').getBoundingClientRect()"
            try await tab.expect(
                "\(frame).top == 0 && \(frame).width == innerWidth && \(frame).height > 700")
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

    // MARK: A picture that leaves most of its box empty

    /// Runs `body` with an opened panorama, six times as wide as high.
    private func withPanorama(
        isPhone: Bool = false,
        _ body: nonisolated(nonsending) (Tab) async throws -> Void
    ) async throws {
        try await withGallery(of: { mirror in
            try mirror.add(day("2026-11-20"), "All of the Horizon", size: (6000, 1000))
        }) { _, tab in
            if isPhone { try await tab.size(390, 844, isPhone: true) }
            try await tab.open(day: "2026-11-20")
            try await tab.expect("\(image).naturalWidth")
            try await body(tab)
            #expect(tab.complaints == [])
        }
    }

    /// The position of an edge of an element, in pixels.
    private func edge(_ side: String, of element: String, _ tab: Tab) async throws -> Int {
        try await tab.value("Math.round(\(element).getBoundingClientRect().\(side))").integer ?? -1
    }

    @Test func theBoxOfAPanoramaIsThePictureWhichStopsAtItsEdges() async throws {
        try await withPanorama { tab in
            let rect = "\(image).getBoundingClientRect()"
            try await tab.expect("Math.abs(\(rect).width / \(rect).height - 6) < 0.05")
            // It fills the width, and there is room before the text.
            let width = try await edge("width", of: image, tab)
            #expect(try await edge("width", of: box, tab) == width)
            let words = "document.querySelector('.day:target .words')"
            #expect(
                try await edge("right", of: image, tab) + 8 <= edge("left", of: words, tab))

            try await tab.click(".day:target .picture img")
            let left = try await edge("left", of: box, tab)
            let right = try await edge("right", of: box, tab)
            for _ in 0..<8 { try await tab.drag(from: (200, 400), to: (780, 500)) }
            #expect(try await edge("left", of: image, tab) == left)
            for _ in 0..<12 { try await tab.drag(from: (780, 500), to: (200, 300)) }
            #expect(try await edge("right", of: image, tab) == right)
            #expect(try await edge("top", of: image, tab) == edge("top", of: box, tab))
        }
    }

    @Test(arguments: [false, true])
    func theFirstClickFillsTheHeightAndTheNextShowsTheSizeOfTheFile(isPhone: Bool) async throws {
        try await withPanorama(isPhone: isPhone) { tab in
            try await tab.click(".day:target .picture img")
            let height = try await edge("height", of: image, tab)
            #expect(try await edge("height", of: box, tab) == height)
            #expect(try await edge("top", of: box, tab) == edge("top", of: image, tab))
            try await tab.photograph("panorama \(isPhone)")

            // The next click is no second tap.
            try await tab.expect("performance.now() - lastClick > 600")
            try await tab.clickWhereItIs(".day:target .picture")
            #expect(try await edge("width", of: image, tab) == 6000)
            try await tab.expect("performance.now() - lastClick > 600")
            try await tab.clickWhereItIs(".day:target .picture")
            try await tab.expect("zoom.scale", is: 1)
        }
    }
}
