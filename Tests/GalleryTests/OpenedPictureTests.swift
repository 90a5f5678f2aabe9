import APOD
import Glibc
import JSON
import Mirror
import Simulator
import TestSupport
import Testing

/// An opened picture with a keyboard, a screen reader or a phone.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct OpenedPictureTests {
    // MARK: Focus

    @Test func focusMovesIntoADialogAndBackToItsOpener() async throws {
        try await withGallery { mirror, tab in
            try await tab.open(mirror.address("gallery/2026-11.html"))
            _ = try await tab.value("document.getElementById('at-2026-11-19').focus()")
            try await tab.press("Enter")
            #expect(try await tab.waits(for: isOpen("2026-11-19")))
            #expect(try await tab.waits(for: "Boolean(\(Self.dialog))"))
            #expect(try await tab.value("\(Self.dialog)?.closest('.day').id") == "2026-11-19")
            #expect(
                try await tab.value(
                    "document.getElementById(\(Self.dialog)?.getAttribute('aria-labelledby'))?.textContent"
                ) == "天の川 over Mount Fuji")

            try await tab.press("Escape")
            #expect(try await tab.waits(for: "!document.querySelector('.day:target')"))
            #expect(try await tab.waits(for: "document.activeElement.id == 'at-2026-11-19'"))
        }
    }

    @Test func thePageBehindAnOpenedPictureIsInert() async throws {
        try await withGallery { mirror, tab in
            try await tab.open(mirror.address("gallery/2026-11.html#2026-11-19"))
            #expect(try await tab.waits(for: "Boolean(\(Self.dialog))"))
            _ = try await tab.value("document.querySelector('.home, .home a').focus()")
            #expect(try await tab.holds("Boolean(\(Self.dialog))"))
            for _ in 0..<12 {
                try await tab.press("Tab")
                #expect(
                    try await tab.holds(
                        "document.activeElement == document.body || Boolean(\(Self.dialog))"))
            }
        }
    }

    // MARK: Keys

    @Test(arguments: [false, true])
    func theKeyboardScrollsTheText(isPhone: Bool) async throws {
        try await withGallery { mirror, tab in
            let paragraph = String(repeating: "All that is known of it is little. ", count: 60)
            try mirror.add(
                day("2026-11-21"), "A Long Story", size: (480, 320),
                [
                    "explanation": .string(
                        Array(repeating: paragraph, count: 6).joined(separator: "\n\n"))
                ]
            )
            try await mirror.refresh()
            if isPhone { try await tab.size(390, 844, isPhone: true) }
            try await tab.open(mirror.address("gallery/2026-11.html#2026-11-21"))
            #expect(try await tab.waits(for: isOpen("2026-11-21")))
            let page = try await tab.restingValue("Math.round(scrollY)")
            var last = 0
            for (key, text) in [("PageDown", nil), ("ArrowDown", nil), (" ", " "), ("End", nil)] {
                try await tab.press(key, text: text)
                #expect(try await tab.waits(for: "\(Self.scrolled) > \(last)"), "\(key)")
                // Scrolling is smooth: the next key is pressed after it has ended.
                last = try await tab.restingValue(Self.scrolled)
            }
            for key in ["ArrowUp", "PageUp", "Home"] {
                try await tab.press(key)
                #expect(try await tab.waits(for: "\(Self.scrolled) < \(last)"), "\(key)")
                last = try await tab.restingValue(Self.scrolled)
            }
            #expect(last == 0)
            #expect(try await tab.restingValue("Math.round(scrollY)") == page)
        }
    }

    @Test func theLinksToOlderAndNewerPicturesHaveLabels() async throws {
        try await withGallery { mirror, tab in
            for isPhone in [false, true] {
                try await tab.size(isPhone ? 390 : 1280, 844, isPhone: isPhone)
                try await tab.open(mirror.address("gallery/2026-11.html#2026-11-19"))
                #expect(try await tab.waits(for: isOpen("2026-11-19")))
                for (kind, word) in [("next", "Older"), ("prev", "Newer")] {
                    let link = "document.querySelector('.day:target .ways .\(kind)')"
                    #expect(try await tab.holds("\(link).innerText.includes('\(word)')"))
                    #expect(
                        try await tab.holds(
                            "\(link).getAttribute('aria-label').startsWith('\(word)')"))
                }
            }
        }
    }

    // MARK: The way back

    @Test func closingReturnsToThePreviousPage() async throws {
        try await withGallery { mirror, tab in
            try await tab.open(mirror.address("index.html"))
            _ = try await tab.value(
                "scrollTo({ top: document.querySelector('#recent').offsetTop, behavior: 'instant' })"
            )
            let place = try await tab.value("scrollY")
            try await tab.clickWhereItIs("#recent .card")
            #expect(try await tab.waits(for: isOpen("2026-11-19")))
            try await tab.press("ArrowRight")
            #expect(try await tab.waits(for: isOpen("2026-11-18")))
            try await tab.press("Escape")

            #expect(try await tab.waits(for: "location.pathname.endsWith('/index.html')"))
            #expect(try await tab.waits(for: "scrollY == \(place.line)"))
            #expect(
                try await tab.waits(
                    for: "document.activeElement == document.querySelector('#recent .card')"))
        }
    }

    @Test func closingRestoresTheScrollPosition() async throws {
        try await withGallery { mirror, tab in
            try await tab.open(mirror.address("gallery/2026.html"))
            let length = try await tab.value("history.length")
            _ = try await tab.value(
                """
                scrollTo({ behavior: 'instant', \
                top: document.getElementById('2026-03-23').getBoundingClientRect().top - 200 });
                // Months that come into sight are laid out later, which may move the page.
                addEventListener('click', () => sessionStorage.place = scrollY, { capture: true, once: true })
                """)
            try await tab.clickWhereItIs("[id='2026-03-23']")
            #expect(try await tab.waits(for: isOpen("2026-03-23")))
            for day in ["2026-03-14", "2026-03-05"] {
                try await tab.press("ArrowRight")
                #expect(try await tab.waits(for: isOpen(day)))
            }
            try await tab.click(".day:target .close")

            #expect(try await tab.waits(for: "!document.querySelector('.day:target')"))
            #expect(try await tab.waits(for: "scrollY == sessionStorage.place"))
            #expect(try await tab.waits(for: "document.activeElement.id == '2026-03-23'"))
            // The remaining entry is the forward one.
            #expect(try await tab.holds("history.length - \(length.line) <= 1"))
            #expect(try await tab.value("location.hash") == "")
        }
    }

    @Test func closingReturnsToTheSearchAndItsResults() async throws {
        try await withGallery { mirror, tab in
            try await tab.open(mirror.address("gallery/search.html"))
            try await tab.type("angstrom")
            #expect(
                try await tab.waits(for: "document.querySelectorAll('#results .card').length == 1"))
            try await tab.click("#results .card")
            #expect(try await tab.waits(for: isOpen("2025-12-31")))
            try await tab.press("Escape")

            #expect(try await tab.waits(for: "location.pathname.endsWith('/search.html')"))
            #expect(
                try await tab.waits(
                    for: "document.activeElement == document.querySelector('#results .card')"))
        }
    }

    // MARK: While the original loads

    @Test func theThumbnailIsShownUntilTheOriginalIsLoaded() async throws {
        try await withGallery { mirror, tab in
            let small = Drawing(seed: 1, width: 96, height: 64).encoded()
            for day in ["2026-11-20", "2026-11-21"] {
                try mirror.write(small, to: "gallery/thumbnails/2026/2026-11/\(day).jpg")
            }
            try mirror.add(day("2026-11-21"), "On Its Way", size: (480, 320))
            let path = "\(mirror.root)/pictures/2026/2026-11/2026-11-21 On Its Way.jpg"
            // The response ends here.
            try #require(unsafe truncate(path, 16) == 0)
            try await mirror.refresh()
            let original = "document.querySelector('.day:target .picture img[src*=pictures]')"
            let thumbnail = "document.querySelector('.day:target .picture img[src*=thumbnails]')"

            for isPhone in [false, true] {
                try await tab.size(isPhone ? 390 : 1280, 844, isPhone: isPhone)
                try await tab.open(mirror.address("gallery/2026-11.html#2026-11-21"))
                #expect(try await tab.waits(for: "\(thumbnail)?.naturalWidth == 96"))
                #expect(
                    try await tab.holds(
                        "\(thumbnail).checkVisibility({ visibilityProperty: true })"))
                // It has the size of the original.
                #expect(
                    try await tab.value("Math.round(\(thumbnail).getBoundingClientRect().width)")
                        == (isPhone ? 390 : 480))
                #expect(try await tab.value("\(thumbnail).alt") == "")

                try await tab.open(mirror.address("gallery/2026-11.html#2026-11-20"))
                #expect(try await tab.waits(for: "\(original)?.naturalWidth == 480"))
                #expect(
                    try await tab.waits(
                        for: "!\(thumbnail).checkVisibility({ visibilityProperty: true })"))
            }
        }
    }

    @Test func theThumbnailIsShownUntilTheOriginalCanBePainted() async throws {
        try await withMirror { mirror in
            try SampleGallery.addLarge(to: mirror)
            try await mirror.refresh()
            try await withBrowser { tab in
                try await tab.open(mirror.address("gallery/2026-11.html"))
                _ = try await tab.value(
                    "window.paint = []; Image.prototype.decode = () => new Promise(done => paint.push(done)); 0"
                )
                try await tab.click("#at-2026-11-20")
                #expect(try await tab.waits(for: "zoomable()?.complete && paint.length > 0"))
                let below = "document.querySelector('.day:target .below')"
                #expect(try await tab.holds("\(below).checkVisibility()"))

                _ = try await tab.value("paint.forEach(done => done()); 0")
                #expect(try await tab.waits(for: "!\(below).checkVisibility()"))

                // Zooming waits for the larger file in the same way.
                _ = try await tab.value("paint = []; zoomTo(3, ...center()); 0")
                #expect(try await tab.waits(for: "paint.length > 0"))
                #expect(try await tab.value("zoomable().src.includes('/pictures/')") == false)
                _ = try await tab.value("paint.forEach(done => done()); 0")
                #expect(try await tab.waits(for: "zoomable().src.includes('/pictures/')"))
            }
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

extension Tab {
    /// The value of an expression when it is stable.
    fileprivate func restingValue(_ expression: String) async throws -> Int {
        let end = ContinuousClock.now + .hang
        var last: Int?
        while ContinuousClock.now < end {
            let next = try await value(
                """
                new Promise(done => requestAnimationFrame(() => requestAnimationFrame(
                    () => setTimeout(() => done(\(expression)), 50))))
                """
            ).integer
            if let next, next == last { return next }
            last = next
        }
        return last ?? -1
    }
}
