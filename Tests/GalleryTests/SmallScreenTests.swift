import JSON
import TestSupport
import Testing

/// The header and the focus ring, and an opened day on a phone.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct SmallScreenTests {
    @Test func allLinksOfTheHeaderAreVisible() async throws {
        try await withGallery { mirror, tab in
            for width in [320, 360, 390, 600, 800] {
                try await tab.size(width, 844, isPhone: true)
                for path in ["index.html", "gallery/2026.html"] {
                    try await tab.open(mirror.address(path))
                    #expect(
                        try await tab.holds("document.querySelector('.top').offsetHeight <= 120"))
                    #expect(
                        try await tab.holds("document.documentElement.scrollWidth <= innerWidth"))
                    let links = "[...document.querySelectorAll('.top nav a')]"
                    #expect(
                        try await tab.value(
                            """
                            \(links).length == 4 && \(links).every(a => {
                                const { left, right } = a.getBoundingClientRect();
                                return left >= 0 && right <= innerWidth && a.scrollWidth <= a.clientWidth + 1;
                            })
                            """) == true)
                }
                // The search opens when it is used.
                try await tab.clickWhereItIs(".search input")
                #expect(
                    try await tab.waits(
                        for: "document.querySelector('.search input').offsetWidth > 120"))
                #expect(try await tab.holds("document.documentElement.scrollWidth <= innerWidth"))
            }
        }
    }

    @Test(arguments: [
        ("2026-11-20", "copy the picture into"), ("2026-11-19", "delete its item in"),
    ])
    func aPhoneIsOfferedTheFolderAndNoCommand(date: String, words: String) async throws {
        try await withGallery { mirror, tab in
            try await tab.size(390, 844, isPhone: true)
            try await tab.open(mirror.address("gallery/2026.html#\(date)"))
            #expect(try await tab.waits(for: isOpen(date)))
            let line = "document.querySelector('.day:target .command')"
            #expect(try await tab.holds("\(line).textContent.includes('\(words) favorites')"))
            #expect(try await tab.value("\(line).textContent.includes('apod-mirror')") == false)
            #expect(try await tab.value("\(line).querySelector('code, button')") == .null)
        }
    }

    @Test func theTitleOfTheDocumentIsThatOfTheOpenedDay() async throws {
        try await withGallery { mirror, tab in
            try await tab.open(mirror.address("gallery/2026-11.html"))
            let title = try await tab.value("document.title")
            try await tab.click("#at-2026-11-20")
            #expect(
                try await tab.waits(for: "document.title == 'The Crab # Nebula – 20 November 2026'")
            )
            try await tab.press("ArrowRight")
            #expect(
                try await tab.waits(
                    for: "document.title == '天の川 over Mount Fuji – 19 November 2026'"))
            try await tab.press("Escape")
            #expect(try await tab.waits(for: "document.title == `\(title.string ?? "")`"))
        }
    }

    @Test func theFocusRingIsForTheKeyboardOnly() async throws {
        try await withGallery { mirror, tab in
            let ring = "getComputedStyle(document.activeElement).outlineStyle != 'none'"
            try await tab.open(mirror.address("index.html"))
            try await tab.clickWhereItIs(".newest .picture")
            #expect(try await tab.waits(for: isOpen("2026-11-20")))
            #expect(try await tab.waits(for: "document.activeElement.matches('.words')"))
            #expect(try await tab.value(ring) == false)
            try await tab.click(".day:target .close")
            #expect(try await tab.waits(for: "location.pathname.endsWith('/index.html')"))
            #expect(try await tab.holds("document.activeElement == document.body || !(\(ring))"))

            // Where the keyboard leads away, the ring is there in the next page.
            _ = try await tab.value("document.querySelector('#recent .card').focus()")
            try await tab.press("Tab")
            #expect(try await tab.holds(ring))
            try await tab.press("Enter")
            #expect(try await tab.waits(for: "Boolean(openView()?.matches(':modal'))"))
            #expect(try await tab.waits(for: "document.activeElement.matches('.words')"))
            #expect(try await tab.holds(ring))
        }
    }
}
