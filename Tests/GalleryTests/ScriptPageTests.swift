import JSON
import Mirror
import Platform
import TestSupport
import Testing

/// The pages created by scripts: any day and the slideshow.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsChromium) struct ScriptPageTests {
    private let cards = "[...document.querySelectorAll('#results .card')]"

    @Test func aDateShowsTheSameDayOfAllYears() async throws {
        try await withGallery(of: { mirror in
            try SampleGallery.fill(mirror)
            try mirror.add(day("2025-11-20"), "A Year Before")
            try mirror.add(day("2019-11-20"), SampleGallery.attack)
        }) { _, tab in
            try await tab.open("gallery/anyday.html#on-2025-11-20")
            try await tab.expect("\(cards).length == 3")
            try await tab.expect(
                "\(cards).map(c => c.querySelector('.name').textContent)",
                is: ["A Year Before", "The Crab # Nebula", .string(SampleGallery.attack)])
            try await tab.photograph("any-day")
            try await tab.click("#results .card:nth-child(2)")
            try await tab.expect(isOpen("2026-11-20"))

            try await tab.open("gallery/anyday.html#on-2024-11-20")
            try await tab.expect("\(cards).length == 3 && !random.disabled")
            try await tab.expect("found.textContent.includes('does not have 20 November 2024')")
            try await tab.click("#random")
            try await tab.expect("document.querySelector('.day:target .view[open]')")
            try await tab.expect("window.ran === undefined")
            #expect(tab.complaints == [])
        }
    }

    private static let isReady = "!document.querySelector('#slideshow button').disabled"

    @Test func aSlideshowShowsThePicturesOfTheChoice() async throws {
        try await withGallery { mirror, tab in
            // A missing picture is skipped.
            let folder = "pictures/2026/2026-11"
            for name in try mirror.tree.root.folder(folder)?.textNames() ?? []
            where name.hasPrefix("2026-11-18") {
                try mirror.write([], to: "\(folder)/\(name)")
            }
            func expect(_ words: String) async throws {
                try await tab.expect(
                    "caption.textContent.startsWith('\(words)') && stage.querySelector('img')")
            }
            try await tab.open("gallery/slideshow.html#2026")
            try await tab.expect(Self.isReady)
            _ = try await tab.value("form.elements.order.value = 'newest'")
            try await tab.click("#slideshow button")
            try await expect("The Crab # Nebula, 20 November 2026")
            try await tab.photograph("slideshow")
            try await tab.press(" ")
            try await tab.expect("isPaused")
            for (key, words) in [
                ("ArrowRight", "天の川"), ("ArrowRight", "A % Film"), ("ArrowLeft", "天の川"),
            ] {
                try await tab.press(key)
                try await expect(words)
            }
            try await tab.press("Escape")
            try await tab.expect("stage.hidden")

            _ = try await tab.value(
                "choice.value = 'favorites'; form.elements.order.value = 'oldest'; 1")
            try await tab.click("#slideshow button")
            try await expect("Ångström")
            try await tab.click("#stage")
            try await expect("天の川")
            try await tab.click("#stage")
            try await expect("Ångström")
        }
    }

    @Test func aSlideshowWithoutPicturesShowsAMessage() async throws {
        try await withGallery(of: { mirror in
            try mirror.add(day("2026-11-20"), "The Crab")
            for name in try mirror.tree.root.folder("pictures/2026/2026-11")?.textNames() ?? [] {
                try mirror.write([], to: "pictures/2026/2026-11/\(name)")
            }
        }) { _, tab in
            try await tab.open("gallery/slideshow.html#favorites")
            try await tab.expect(Self.isReady)
            try await tab.click("#slideshow button")
            try await tab.expect("problem.textContent && stage.hidden")
            _ = try await tab.value("choice.value = 'all'; problem.textContent = ''; 1")
            try await tab.click("#slideshow button")
            try await tab.expect("problem.textContent && stage.hidden")
        }
    }

    @Test func theCalendarOfAYearLinksToItsDays() async throws {
        try await withGallery { _, tab in
            try await tab.open("gallery/2026.html")
            try await tab.expect(
                "[...document.querySelectorAll('.sheet')].map(s => s.querySelectorAll('a').length).join()",
                is: "4,3,3,4,3,3,8")
            // 1 November 2026 is a Sunday.
            try await tab.click(".calendar summary")
            func left(_ selector: String) -> String {
                "document.querySelector(`.sheet:last-child \(selector)`).getBoundingClientRect().left"
            }
            try await tab.expect("\(left("p > :first-child")) > \(left("[href$='#2026-11-20']"))")
            try await tab.photograph("calendar")
            try await tab.click(".sheet a[href$='#2026-11-19']")
            try await tab.expect(isOpen("2026-11-19"))
            #expect(tab.complaints == [])
        }
    }
}
