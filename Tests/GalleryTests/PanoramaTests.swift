import JSON
import TestSupport
import Testing

/// Zooming into a picture that leaves most of its box empty.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct PanoramaTests {
    private let image = "document.querySelector('.day:target .picture img')"
    private let box = "document.querySelector('.day:target .picture')"

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
