import APOD
import Glibc
import JSON
import Mirror
import Simulator
import Testing

/// An opened picture with a keyboard, a screen reader or a phone.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct OpenedPictureTests {
    // MARK: Focus

    @Test func focusMovesIntoADialogStaysThereAndReturnsToItsOpener() async throws {
        try await withGallery { _, tab in
            try await tab.open("gallery/2026-11.html")
            _ = try await tab.value("document.getElementById('at-2026-11-19').focus()")
            try await tab.press("Enter")
            try await tab.expect(isOpen("2026-11-19"))
            try await tab.expect("\(Self.dialog)?.closest('.day').id == '2026-11-19'")
            try await tab.expect(
                "document.getElementById(\(Self.dialog).getAttribute('aria-labelledby')).textContent",
                is: "天の川 over Mount Fuji")

            // The page behind it is inert.
            _ = try await tab.value("document.querySelector('.home, .home a').focus()")
            try await tab.expect("Boolean(\(Self.dialog))", is: true)
            for _ in 0..<12 {
                try await tab.press("Tab")
                try await tab.expect(
                    "document.activeElement == document.body || Boolean(\(Self.dialog))", is: true)
            }
            try await tab.press("Escape")
            try await tab.expect("!document.querySelector('.day:target')")
            try await tab.expect("document.activeElement.id == 'at-2026-11-19'")
        }
    }

    // MARK: Keys

    @Test(arguments: [false, true])
    func theKeyboardScrollsTheText(isPhone: Bool) async throws {
        let paragraph = String(repeating: "All that is known of it is little. ", count: 60)
        let text = Array(repeating: paragraph, count: 6).joined(separator: "\n\n")
        try await withGallery(of: { mirror in
            try mirror.add(
                day("2026-11-21"), "A Long Story", size: (480, 320), ["explanation": .string(text)])
        }) { _, tab in
            if isPhone { try await tab.size(390, 844, isPhone: true) }
            try await tab.open(day: "2026-11-21")
            let page = try await tab.value("scrollY")
            var last = 0
            for (key, text) in [("PageDown", nil), ("ArrowDown", nil), (" ", " "), ("End", nil)] {
                try await tab.press(key, text: text)
                try await tab.expect("\(Self.scrolled) > \(last)")
                last = try await tab.value(Self.scrolled).integer ?? 0
            }
            for key in ["ArrowUp", "PageUp", "Home"] {
                try await tab.press(key)
                try await tab.expect("\(Self.scrolled) < \(last)")
                last = try await tab.value(Self.scrolled).integer ?? 0
            }
            #expect(last == 0)
            try await tab.expect("scrollY", is: page)
        }
    }

    // MARK: The way back

    @Test func closingRestoresTheScrollPosition() async throws {
        try await withGallery { _, tab in
            try await tab.open("gallery/2026.html")
            let length = try await tab.value("history.length")
            _ = try await tab.value(
                """
                scrollTo({ behavior: 'instant', \
                top: document.getElementById('2026-03-23').getBoundingClientRect().top - 200 });
                // Months that come into sight are laid out later, which may move the page.
                addEventListener('click', () => sessionStorage.place = scrollY, { capture: true, once: true })
                """)
            try await tab.clickWhereItIs("[id='2026-03-23']")
            try await tab.expect(isOpen("2026-03-23"))
            for day in ["2026-03-14", "2026-03-05"] {
                try await tab.press("ArrowRight")
                try await tab.expect(isOpen(day))
            }
            try await tab.click(".day:target .close")

            try await tab.expect("!document.querySelector('.day:target')")
            try await tab.expect("scrollY == sessionStorage.place")
            try await tab.expect("document.activeElement.id == '2026-03-23'")
            // The remaining entry is the forward one.
            try await tab.expect("history.length - \(length.line) <= 1")
            try await tab.expect("location.hash", is: "")
        }
    }

    // MARK: While the original loads

    @Test func theThumbnailIsShownUntilTheOriginalIsLoaded() async throws {
        try await withGallery(of: { mirror in
            try SampleGallery.fill(mirror)
            let small = Drawing(seed: 1, width: 96, height: 64).encoded()
            for day in ["2026-11-20", "2026-11-21"] {
                try mirror.write(small, to: "gallery/thumbnails/2026/2026-11/\(day).jpg")
            }
            try mirror.add(day("2026-11-21"), "On Its Way", size: (480, 320))
            let path = "\(mirror.root)/pictures/2026/2026-11/2026-11-21 On Its Way.jpg"
            // The response ends here.
            try #require(unsafe truncate(path, 16) == 0)
        }) { _, tab in
            let original = "document.querySelector('.day:target .picture img[src*=pictures]')"
            let thumbnail = "document.querySelector('.day:target .picture img[src*=thumbnails]')"
            let isShown = "\(thumbnail).checkVisibility({ visibilityProperty: true })"
            for isPhone in [false, true] {
                try await tab.size(isPhone ? 390 : 1280, 844, isPhone: isPhone)
                try await tab.open("gallery/2026-11.html#2026-11-21")
                try await tab.expect("\(thumbnail)?.naturalWidth == 96 && \(isShown)")
                // It has the size of the original.
                try await tab.expect(
                    "Math.round(\(thumbnail).getBoundingClientRect().width)",
                    is: isPhone ? 390 : 480)
                try await tab.expect("\(thumbnail).alt", is: "")

                try await tab.open("gallery/2026-11.html#2026-11-20")
                try await tab.expect("\(original)?.naturalWidth == 480 && !\(isShown)")
            }
        }
    }

    @Test func theThumbnailIsShownUntilTheOriginalCanBePainted() async throws {
        try await withGallery(of: SampleGallery.addLarge) { _, tab in
            try await tab.open("gallery/2026-11.html")
            _ = try await tab.value(
                "window.paint = []; Image.prototype.decode = () => new Promise(done => paint.push(done)); 0"
            )
            try await tab.click("#at-2026-11-20")
            try await tab.expect("zoomable()?.complete && paint.length > 0")
            let below = "document.querySelector('.day:target .below')"
            try await tab.expect("\(below).checkVisibility()")

            _ = try await tab.value("paint.forEach(done => done()); 0")
            try await tab.expect("!\(below).checkVisibility()")
        }
    }

    // MARK: Where it is

    /// The open dialog that has the focus, `null` if none has.
    private static let dialog =
        "document.activeElement.closest('dialog:modal, [role=dialog][aria-modal=true]')"

    /// The scroll position of the open text.
    private static let scrolled = """
        Math.round(Math.max(...['.view', '.view .words'].map(
            s => document.querySelector(`.day:target ${s}`).scrollTop)))
        """
}
