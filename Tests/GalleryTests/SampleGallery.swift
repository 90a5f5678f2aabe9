import APOD
import JSON
import Mirror
import Simulator
import TestSupport
import Testing

/// Days of all kinds: pictures, videos with and without a poster, a day without either, hostile texts.
enum SampleGallery {
    static let attack =
        "</title><img src=x onerror='window.ran=1'><script>window.ran=1</script> & \"so\""

    /// Adds a day with a thumbnail and a rendition of its picture.
    static func addLarge(to mirror: SampleMirror) throws {
        try mirror.add(day("2026-11-20"), "The Crab", size: (480, 320))
        let small = Drawing(seed: 1, width: 160, height: 107).encoded()
        try mirror.write(small, to: Rendition.path(of: day("2026-11-20")))
        try mirror.write(small, to: Layout.thumbnail(of: day("2026-11-20")))
    }

    static func fill(_ mirror: SampleMirror) throws {
        try mirror.add(day("2026-11-20"), "The Crab # Nebula", size: (480, 320))
        try mirror.add(
            day("2026-11-19"), "天の川 over Mount Fuji", size: (320, 480),
            [
                "copyright": "A. & B.", "explanation": "A remnant & more of a star.",
                "explanation_html": """
                <b>Explanation:</b> A <a href="https://science.nasa.gov/m1?a=1&amp;b=&quot;">remnant</a>
                &amp; <a href="javascript:window.ran=1">more</a> of a <a href='/star'>star</a>.
                """,
            ])
        let hostile = JSON.string(attack)
        try mirror.add(
            day("2026-11-18"), attack, size: (900, 200),
            [
                "explanation": .string("\(attack)\n\n\u{2028}</script>"), "credit": hostile,
                "copyright": hostile, "alt": hostile, "permalink": "javascript:window.ran=1",
                "url": "javascript:window.ran=1",
            ])
        try mirror.record(
            day("2026-11-17"), "A Day Without",
            [
                "no_picture": ["reason": "NASA calls it “other”", "since": "2026-11-17T05:00:00Z"]
            ])
        let film = "pictures/2026/2026-11/2026-11-16 A % Film.mp4"
        try mirror.write([0, 0, 0, 8], to: film)
        try mirror.add(
            day("2026-11-16"), "A % Film",
            [
                "video": [
                    "url": "https://www.nasa.gov/a.mp4", "path": .string(film), "bytes": 4,
                    "sha256": .string(String(repeating: "0", count: 64)),
                ]
            ])
        try mirror.add(
            day("2026-11-15"), "A Film Elsewhere",
            [
                "video": ["url": "https://www.youtube.com/embed/dQw4w9WgXcQ?rel=0"],
                "credit": "The M31, NGC 7000, IC 1805, Sh2-155, Abell 1656 and C/2023 A3 Teams",
            ])
        try mirror.record(
            day("2026-11-14"), "A Bad Film", ["video": ["url": "javascript:window.ran=1"]])
        try mirror.record(
            day("2026-11-13"), "A Film Without a Still",
            ["video": ["url": "https://www.youtube.com/embed/dQw4w9WgXcQ?rel=0"]])
        for number in 1...20 {
            try mirror.add(day("2026-01-01").advanced(by: 9 * (number - 1)), "Day \(number)")
        }
        try mirror.add(day("2025-12-31"), "Ångström’s Comet")
        mirror.favorites = [day("2026-11-19"), day("2025-12-31")]
    }
}

/// Runs `body` with the gallery of the days that `fill` adds, and a page of a browser.
nonisolated(nonsending) func withGallery(
    of fill: (SampleMirror) throws -> Void = SampleGallery.fill,
    _ body: nonisolated(nonsending) (SampleMirror, Tab) async throws -> Void
) async throws {
    try await withMirror { mirror in
        try fill(mirror)
        try await mirror.refresh()
        try await withTemporaryFolder { home in
            try await body(mirror, Tab(Chromium(home: home), of: mirror))
        }
    }
}

extension Trait where Self == ConditionTrait {
    static var needsChromium: Self { .enabled(if: Chromium.path != nil, "needs Debian's chromium") }
}

/// Whether the day is opened, which scripts show as a dialog.
func isOpen(_ day: String, byScript: Bool = true) -> String {
    let view = "document.querySelector('.day:target .view')"
    return "document.querySelector('.day:target')?.id == '\(day)'"
        + " && getComputedStyle(\(view)).display != 'none'"
        + (byScript ? " && \(view).matches(':modal')" : "")
}
