import JSON
import TestSupport
import Testing

/// The header and the focus ring, and an opened day on a phone.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct SmallScreenTests {
    @Test func allLinksOfTheHeaderAreVisible() async throws {
        try await withGallery { _, tab in
            for width in [320, 360, 390, 600, 800] {
                try await tab.size(width, 844, isPhone: true)
                for path in ["index.html", "gallery/2026.html"] {
                    try await tab.open(path)
                    try await tab.expect("document.querySelector('.top').offsetHeight <= 120")
                    try await tab.expect("document.documentElement.scrollWidth <= innerWidth")
                    let links = "[...document.querySelectorAll('.top nav a')]"
                    try await tab.expect(
                        """
                        \(links).length == 4 && \(links).every(a => {
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
}
