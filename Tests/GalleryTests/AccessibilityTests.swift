import Glibc
import JSON
import Mirror
import Platform
import TestSupport
import Testing

/// axe-core finds no violations in pages of all kinds.
///
/// The script is not part of the project: `APOD_MIRROR_AXE` names the file `axe.min.js`, such as that of the
/// package axe-playwright-python.
@Suite(
    .serialized, .timeLimit(.minutes(10)), .needsChromium,
    .enabled(if: axe != nil, "needs APOD_MIRROR_AXE, a file of axe-core"))
struct AccessibilityTests {
    /// A page, an expression that sets its state, and the condition of this state.
    private struct Page {
        let path: String
        var sign = "true"
        var act = "0"
    }

    private static let slides = "!document.querySelector('#slideshow button').disabled"

    private static let pages = [
        Page(path: "index.html"),
        Page(path: "gallery/2026.html"),
        Page(path: "gallery/2026.html", act: "document.querySelector('.calendar').open = true"),
        Page(path: "gallery/2026.html#january"),
        Page(path: "gallery/2026-11.html"),
        Page(path: "gallery/2026-11.html#2026-11-20", sign: isOpen("2026-11-20")),
        Page(
            path: "gallery/2026-11.html#2026-11-20",
            sign: "\(isOpen("2026-11-20")) && zoomable().naturalWidth",
            act: "zoomTo(3, ...center())"),
        Page(path: "gallery/2026-11.html#2026-11-18", sign: isOpen("2026-11-18")),
        Page(path: "gallery/2026-11.html#2026-11-17", sign: isOpen("2026-11-17")),
        Page(path: "gallery/2026-11.html#2026-11-16", sign: isOpen("2026-11-16")),
        Page(path: "gallery/2026-11.html#2026-11-15", sign: isOpen("2026-11-15")),
        Page(path: "gallery/2026-11.html#2026-11-13", sign: isOpen("2026-11-13")),
        Page(path: "gallery/favorites.html"),
        Page(path: "gallery/search.html"),
        Page(path: "gallery/search.html?q=day", sign: "document.querySelector('#results .card')"),
        Page(path: "gallery/anyday.html#on-2025-11-20", sign: "!random.disabled"),
        Page(path: "gallery/slideshow.html", sign: slides),
        Page(
            path: "gallery/slideshow.html#2026", sign: slides,
            act: "document.querySelector('#slideshow button').click()"),
    ]

    @Test(arguments: [(1280, 800, false), (390, 844, true)])
    func pagesHaveNoViolations(_ width: Int, _ height: Int, _ isPhone: Bool) async throws {
        let path = axe ?? ""
        let file = try FileDescriptor(opening: path, O_RDONLY)
        let script = String(
            decoding: try file.readStart(limit: 1 << 22, path: path), as: UTF8.self)
        try await withGallery { _, tab in
            try await tab.size(width, height, isPhone: isPhone)
            for scheme in ["light", "dark"] {
                try await tab.prefer(scheme)
                for page in Self.pages {
                    // Otherwise a fragment of the same page would not be loaded.
                    try await tab.open("about:blank")
                    try await tab.open(page.path)
                    try await tab.expect(page.sign)
                    _ = try await tab.value("\(page.act); 0")
                    _ = try await tab.value("\(script); 0")
                    #expect(
                        try await tab.value(Self.violations) == [], "\(scheme) \(page.path)")
                }
            }
        }
    }

    /// Its rules for WCAG 2.2, A and AA, and its best practices; the rule for the size of targets
    /// must be enabled explicitly.
    private static let violations = """
        axe.run({ rules: { "target-size": { enabled: true }, "focus-order-semantics": { enabled: true } } })
            .then(found => found.violations.map(rule => `${rule.id}: ${rule.nodes[0].html.slice(0, 200)}`))
        """
}

/// The path of axe-core.
private let axe = processEnvironment()["APOD_MIRROR_AXE"]
