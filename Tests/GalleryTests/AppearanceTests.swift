import APOD
import JSON
import Mirror
import TestSupport
import Testing

/// The measurable appearance of pages.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct AppearanceTests {
    @Test(arguments: [(1280, 800, false), (390, 844, true)])
    func theNewestDayCanBeAVideoWithoutAPoster(
        _ width: Int, _ height: Int, _ isPhone: Bool
    ) async throws {
        try await withMirror { mirror in
            try mirror.record(
                day("2026-11-20"), "A Film Without a Still",
                ["video": ["url": "https://www.youtube.com/embed/dQw4w9WgXcQ?rel=0"]])
            try await mirror.refresh()
            try await withBrowser { tab in
                try await tab.size(width, height, isPhone: isPhone)
                try await tab.open(mirror.address("index.html"))
                try await tab.photograph("\(width) newest is a video")

                let link = "document.querySelector('.newest a.picture')"
                #expect(
                    try await tab.value("\(link)?.href")
                        == "https://www.youtube.com/watch?v=dQw4w9WgXcQ")
                #expect(try await tab.holds("\(link)?.getBoundingClientRect().height > 150"))
                #expect(
                    try await tab.holds(
                        "document.querySelector('.newest h2 a').href.endsWith('gallery/2026-11.html#2026-11-20')"
                    ))
            }
        }
    }

    @Test func pagesFollowTheColorSchemeOfTheDesktop() async throws {
        try await withGallery { mirror, tab in
            for scheme in ["light", "dark"] {
                try await tab.prefer(scheme)
                for path in [
                    "index.html", "gallery/2026.html", "gallery/favorites.html",
                    "gallery/anyday.html", "gallery/slideshow.html",
                ] {
                    try await tab.open(mirror.address(path))
                    try await tab.photograph("\(scheme) \(path.replacing("/", with: " "))")
                    let isLight = try await tab.value(
                        "\(Self.light("document.documentElement")) > 0.5")
                    #expect(isLight == .bool(scheme == "light"), "\(scheme) \(path)")
                    #expect(try await tab.value(Self.faint) == [], "\(scheme) \(path)")
                }
                // An opened picture has a dark background.
                try await tab.open(mirror.address("gallery/2026-11.html#2026-11-19"))
                #expect(
                    try await tab.value(
                        "\(Self.light("document.querySelector('.day:target .view')")) < 0.1")
                        == true)
                #expect(try await tab.value(Self.faint) == [], "\(scheme)")
            }
        }
    }

    /// Where there is no key to end it.
    @Test(arguments: ["light", "dark"])
    func theButtonThatEndsASlideshowIsVisibleOnAWhitePicture(scheme: String) async throws {
        try await withGallery { mirror, tab in
            try await tab.size(390, 844, isPhone: true)
            try await tab.prefer(scheme)
            try await tab.open(mirror.address("gallery/slideshow.html"))
            #expect(
                try await tab.waits(for: "!document.querySelector('#slideshow button').disabled"))
            #expect(try await tab.holds("document.querySelector('.taps').checkVisibility()"))
            #expect(
                try await tab.value("document.querySelector('.keys').checkVisibility()") == false)
            try await tab.click("#slideshow button")
            #expect(try await tab.waits(for: "stage.querySelector('img')"))

            #expect(
                try await tab.holds("document.querySelector('#stage button').checkVisibility()"))
            #expect(try await tab.holds("(\(Self.contrastOnWhite)) >= 4.5"))
        }
    }

    @Test func theOriginalAndTheNameOfItsFileAreVisibleWithoutScrolling() async throws {
        try await withGallery { mirror, tab in
            try await tab.size(1280, 800)
            for date in ["2026-11-20", "2026-11-19"] {
                try await tab.open(mirror.address("gallery/2026-11.html#\(date)"))
                #expect(try await tab.waits(for: isOpen(date)))
                let item = "document.querySelector('.day:target .words .links li')"
                #expect(try await tab.holds("\(item).textContent.startsWith('Original, ')"))
                #expect(
                    try await tab.holds("/: \(date) .*\\.jpg$/.test(\(item).textContent.trim())"))
                #expect(
                    try await tab.holds("\(item).getBoundingClientRect().bottom <= innerHeight"))
            }
        }
    }

    /// The contrast of the sign of the button with its background, above a white picture.
    private static let contrastOnWhite = """
        (() => {
            const style = getComputedStyle(document.querySelector('#stage button'));
            const [red, green, blue, alpha = 1] = style.backgroundColor.match(/[\\d.]+/g).map(Number);
            const ground = [red, green, blue].map(v => v * alpha + 255 * (1 - alpha));
            const lights = [style.color, `rgb(${ground})`].map(\(luminance)).map(v => v + 0.05);
            return Math.max(...lights) / Math.min(...lights);
        })()
        """

    /// The luminance of the background of an element; see WCAG 2.2, "relative luminance".
    private static func light(_ element: String) -> String {
        "(\(luminance))(getComputedStyle(\(element)).backgroundColor)"
    }

    private static let luminance = """
        color => color.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255)
            .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
            .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0)
        """

    /// Text on a plain background with a contrast below 4.5 to 1; see WCAG 2.2, 1.4.3.
    private static let faint = """
        (() => {
            const luminance = \(luminance);
            const opened = document.querySelector('.day:target .view');
            const texts = [...(opened ?? document).querySelectorAll('a, p, h1, h2, h3, time, span, li, button:enabled, label, summary, code')]
                .filter(e => e.checkVisibility() && !e.closest('.tile, .picture, .watch'))
                .filter(e => [...e.childNodes].some(n => n.nodeType == 3 && n.data.trim()));
            const ground = e => {
                for (; e; e = e.parentElement) {
                    const color = getComputedStyle(e).backgroundColor;
                    if (!/, 0\\)$/.test(color)) return color;
                }
                return 'rgb(255, 255, 255)';
            };
            return texts.filter(e => {
                const [a, b] = [luminance(getComputedStyle(e).color), luminance(ground(e))];
                return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
            }).map(e => e.outerHTML.slice(0, 100));
        })()
        """
}
