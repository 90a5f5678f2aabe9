import APOD
import FoundationEssentials
import JSON
import Mirror
import Simulator
import Testing

/// The measurable appearance of pages.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct AppearanceTests {
    @Test(arguments: [(1280, 800, false), (390, 844, true)])
    func theNewestDayCanBeAVideoWithoutAPoster(
        _ width: Int, _ height: Int, _ isPhone: Bool
    ) async throws {
        try await withGallery(of: { mirror in
            try mirror.record(
                day("2026-11-20"), "A Film Without a Still",
                ["video": ["url": "https://www.youtube.com/embed/dQw4w9WgXcQ?rel=0"]])
        }) { _, tab in
            try await tab.size(width, height, isPhone: isPhone)
            try await tab.open("index.html")
            try await tab.photograph("\(width) newest is a video")

            let link = "document.querySelector('.newest a.picture')"
            try await tab.expect("\(link).href == 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'")
            try await tab.expect("\(link).getBoundingClientRect().height > 150")
            try await tab.expect(
                "document.querySelector('.newest h2 a').href.endsWith('gallery/2026-11.html#2026-11-20')"
            )
        }
    }

    @Test func pagesFollowTheColorSchemeOfTheDesktop() async throws {
        try await withGallery { _, tab in
            for scheme in ["light", "dark"] {
                try await tab.prefer(scheme)
                for path in [
                    "index.html", "gallery/2026.html", "gallery/favorites.html",
                    "gallery/anyday.html", "gallery/slideshow.html",
                ] {
                    try await tab.open(path)
                    try await tab.photograph("\(scheme) \(path.replacing("/", with: " "))")
                    let light = Self.light("document.documentElement")
                    try await tab.expect("\(light) > 0.5", is: .bool(scheme == "light"))
                    #expect(try await tab.value(Self.faint) == [], "\(scheme) \(path)")
                }
                // An opened picture has a dark background.
                try await tab.open("gallery/2026-11.html#2026-11-19")
                let light = Self.light("document.querySelector('.day:target .view')")
                try await tab.expect("\(light) < 0.1")
                try await tab.expect(Self.faint, is: [])
            }
        }
    }

    /// Where there is no key to end it.
    @Test(arguments: ["light", "dark"])
    func aSlideshowEndsByAButtonThatIsVisibleOnAWhitePicture(scheme: String) async throws {
        try await withGallery { _, tab in
            try await tab.size(390, 844, isPhone: true)
            try await tab.prefer(scheme)
            try await tab.open("gallery/slideshow.html")
            try await tab.expect("!document.querySelector('#slideshow button').disabled")
            try await tab.expect("document.querySelector('.taps').checkVisibility()")
            try await tab.expect("!document.querySelector('.keys').checkVisibility()")
            try await tab.click("#slideshow button")
            try await tab.expect("stage.querySelector('img')")

            try await tab.expect("document.querySelector('#stage button').checkVisibility()")
            try await tab.expect("(\(Self.contrastOnWhite)) >= 4.5")
            try await tab.click("#stage button")
            try await tab.expect("stage.hidden")
            #expect(tab.complaints == [])
        }
    }

    @Test func theOriginalAndTheNameOfItsFileAreVisibleWithoutScrolling() async throws {
        try await withGallery { _, tab in
            for date in ["2026-11-20", "2026-11-19"] {
                try await tab.open(day: date)
                let item = "document.querySelector('.day:target .words .links li')"
                try await tab.expect("\(item).textContent.startsWith('Original, ')")
                try await tab.expect("/: \(date) .*\\.jpg$/.test(\(item).textContent.trim())")
                try await tab.expect("\(item).getBoundingClientRect().bottom <= innerHeight")
            }
        }
    }

    @Test func allLinksOfTheHeaderAreVisible() async throws {
        try await withGallery { _, tab in
            for width in [320, 360, 390, 600, 800, 844, 932, 1057] {
                try await tab.size(width, 844, isPhone: true)
                for path in ["index.html", "gallery/2026.html"] {
                    try await tab.open(path)
                    try await tab.expect(
                        "document.querySelector('.top').offsetHeight <= \(width > 832 ? 70 : 120)")
                    try await tab.expect("document.documentElement.scrollWidth <= innerWidth")
                    let links = "[...document.querySelectorAll('.top nav a')]"
                    try await tab.expect(
                        """
                        \(links).length == 5 && \(links).every(a => {
                            const { left, right } = a.getBoundingClientRect();
                            return left >= 0 && right <= innerWidth && a.scrollWidth <= a.clientWidth + 1;
                        })
                        """)
                }
                // The search opens when it is used.
                try await tab.clickWhereItIs(".search input")
                try await tab.expect("document.querySelector('.search input').offsetWidth > 120")
                try await tab.expect("document.documentElement.scrollWidth <= innerWidth")
            }
        }
    }

    @Test func fieldsAndButtonsKeepTheirShapeWhenTheyAreClicked() async throws {
        try await withGallery { _, tab in
            for (path, selector) in [
                ("index.html", ".search input"), ("gallery/anyday.html", "#today"),
                ("gallery/slideshow.html", "[name=seconds]"),
            ] {
                try await tab.open(path)
                let shape = "getComputedStyle(document.querySelector('\(selector)')).borderRadius"
                let before = try await tab.value(shape)
                try await tab.click(selector)
                try await tab.expect(
                    "document.activeElement == document.querySelector('\(selector)')")
                try await tab.expect(shape, is: before)
            }
        }
    }

    @Test func anExampleOfASearchIsNotBrokenIntoTwoLines() async throws {
        try await withGallery { _, tab in
            for width in stride(from: 320, through: 480, by: 8) {
                try await tab.size(width, 844, isPhone: true)
                try await tab.open("gallery/search.html")
                try await tab.expect("found.querySelectorAll('.syntax').length == 2")
                try await tab.expect(
                    "[...found.querySelectorAll('.syntax')].every(s => s.getClientRects().length == 1)"
                )
            }
        }
    }

    /// Also where there is no newer day.
    @Test func theWayOutOfAnOpenedDayIsInTheMiddleOfAPhone() async throws {
        try await withGallery { _, tab in
            try await tab.size(390, 844, isPhone: true)
            for date in ["2026-11-20", "2026-11-19"] {
                try await tab.open(day: date)
                let box = "document.querySelector('.day:target .close').getBoundingClientRect()"
                try await tab.expect(
                    "Math.abs(\(box).left + \(box).width / 2 - innerWidth / 2) < 2")
            }
        }
    }

    @Test func aPhoneIsOfferedTheFolderAndNoCommand() async throws {
        try await withGallery { _, tab in
            try await tab.size(390, 844, isPhone: true)
            for (date, words) in [
                ("2026-11-20", "copy the picture into"), ("2026-11-19", "delete its item in"),
            ] {
                try await tab.open(day: date)
                let line = "document.querySelector('.day:target .command')"
                try await tab.expect("\(line).textContent.includes('\(words) favorites')")
                try await tab.expect("!\(line).textContent.includes('apod-mirror')")
                try await tab.expect("\(line).querySelector('code, button')", is: .null)
            }
        }
    }

    @Test func theFocusRingIsForTheKeyboardOnly() async throws {
        try await withGallery { _, tab in
            let ring = "getComputedStyle(document.activeElement).outlineStyle != 'none'"
            try await tab.open("index.html")
            try await tab.clickWhereItIs(".newest .picture")
            try await tab.expect(isOpen("2026-11-20"))
            try await tab.expect("document.activeElement.matches('.words')")
            try await tab.expect(ring, is: false)
            try await tab.click(".day:target .close")
            try await tab.expect("location.pathname.endsWith('/index.html')")
            try await tab.expect("document.activeElement == document.body || !(\(ring))")

            // Where the keyboard leads away, the ring is there in the next page.
            _ = try await tab.value("document.querySelector('#recent .card').focus()")
            try await tab.press("Tab")
            try await tab.expect(ring)
            try await tab.press("Enter")
            try await tab.expect("openView()?.matches(':modal')")
            try await tab.expect("document.activeElement.matches('.words')")
            try await tab.expect(ring)
        }
    }

    // MARK: On paper

    /// Adds the days of July 2026, with texts of the length of NASA's longest.
    private static func fill(_ mirror: SampleMirror) throws {
        let text = String(repeating: "What is known of this nebula is little. ", count: 45)
        let sizes = [(480, 320), (320, 480), (900, 150)]
        for number in 1...31 {
            try mirror.add(
                day("2026-07-01").advanced(by: number - 1), "The Nebula of the Day \(number)",
                size: sizes[number % 3], ["explanation": .string(text), "credit": "A. Stargazer"])
        }
        try mirror.add(day("2026-06-30"), "A Day of June")
    }

    /// The number of pages on which the content of `tab` is printed.
    private func pages(_ tab: Tab, isLandscape: Bool = false) async throws -> Int {
        let pdf = try await tab.pdf(isLandscape: isLandscape)
        let text = String(decoding: pdf, as: UTF8.self)
        return text.ranges(of: "/Type /Page\n").count
    }

    @Test func anOpenedDayIsOneOrTwoPagesAndAMonthIsAContactSheetOnOne() async throws {
        try await withGallery(of: Self.fill) { _, tab in
            for date in ["2026-07-01", "2026-07-02", "2026-07-03"] {
                try await tab.open(day: date)
                #expect(1...2 ~= (try await pages(tab)), "\(date)")
                #expect(1...2 ~= (try await pages(tab, isLandscape: true)), "\(date)")
            }
            try await tab.open("gallery/2026.html#july")
            #expect(try await pages(tab) == 1)
            try await tab.printing()
            let cards = "[...document.querySelectorAll('.card')].filter(e => e.checkVisibility())"
            try await tab.expect("\(cards).length", is: 31)
            // Without a month in the address, each has a page.
            try await tab.open("about:blank")
            try await tab.open("gallery/2026.html")
            #expect(try await pages(tab) == 2)
        }
    }

    @Test(arguments: ["light", "dark"])
    func anOpenedDayIsBlackOnWhiteWithPictureTitleCreditAndText(scheme: String) async throws {
        try await withGallery(of: Self.fill) { _, tab in
            try await tab.prefer(scheme)
            try await tab.open(day: "2026-07-03")
            try await tab.printing(scheme)
            let visible = """
                [...document.querySelectorAll('img, h1, h2, h3, p, a, nav, header, footer, .card, button')]
                    .filter(e => e.checkVisibility() && e.getBoundingClientRect().height)
                """
            try await tab.expect("\(visible).every(e => e.closest('.view'))")
            for part in ["img", "h2", ".credit", "p:not([class])", ".date"] {
                try await tab.expect("\(visible).some(e => e.matches('\(part)'))")
            }
            try await tab.expect("!\(visible).some(e => e.matches('.ways a, button'))")
            let style = "getComputedStyle(document.querySelector('.day:target .view'))"
            try await tab.expect("\(style).color", is: "rgb(0, 0, 0)")
            try await tab.expect("\(style).backgroundColor", is: "rgb(255, 255, 255)")
        }
    }

    // MARK: Colors

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

extension Tab {
    /// The page on A4 paper.
    fileprivate func pdf(isLandscape: Bool) async throws -> [UInt8] {
        let answer = try await call(
            "Page.printToPDF",
            [
                "paperWidth": .number(8.27), "paperHeight": .number(11.69),
                "landscape": .bool(isLandscape), "preferCSSPageSize": false,
            ])
        return Array(Data(base64Encoded: answer["data"]?.string ?? "") ?? Data())
    }

    /// Shows the page as it is on paper, for a desktop with dark or light colors.
    fileprivate func printing(_ scheme: String = "light") async throws {
        try await call(
            "Emulation.setEmulatedMedia",
            [
                "media": "print",
                "features": [["name": "prefers-color-scheme", "value": .string(scheme)]],
            ])
    }
}
