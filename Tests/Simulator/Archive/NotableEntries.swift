internal import APOD

extension Archive {
    /// Days on which NASA's feeds have what no generated day has.
    package static let notableEntries: [SimulatedEntry] = [
        // A page with an animation that no browser plays any more: neither feed has a picture or a URL.
        SimulatedEntry(
            day: day("2012-03-12"), title: "The Scale of the Universe - Interactive",
            explanationHTML: """
                What does the universe look like on small scales? On large scales? Humanity is discovering that the \
                universe is a very different place on every proportion that has been explored.
                """,
            copyright: "Cary & Michael Huang", media: .other),
        // A video without a poster: the address of a placeholder in the entry and in its post.
        SimulatedEntry(
            day: day("2026-08-31"), title: "A Video Without a Poster",
            explanationHTML: "A film on NASA's own host.",
            media: .videoFile(
                SimulatedPicture(name: "film_without_poster.mp4", source: .mp4("2026-08-31")))),
        // Its picture lies in the directory of the next month.
        SimulatedEntry(
            day: day("2026-09-30"), title: "M31: The Andromeda Galaxy",
            explanationHTML: "The nearest large galaxy.",
            media: .picture(
                SimulatedPicture(
                    name: "M31_4298.jpg",
                    source: .drawn(Drawing(seed: 31, width: 430, height: 339, format: .jpeg)),
                    shelf: day("2026-10-01")))),
    ]

    private static func day(_ text: String) -> Day { Day(iso: text) ?? .first }
}
