import APOD
import JSON
import Mirror

/// What all pages of 11,470 days cost, and what a new day costs the gallery and all views.
struct GalleryFigures {
    private let bench: Workbench

    private static let days = 11_470
    private static let rounds = 5

    init(_ bench: Workbench) { self.bench = bench }

    func measure() throws -> [Goal] {
        try bench.announce("the views of \(Self.days) days")
        let runs = try (0..<Self.rounds).map { _ in
            let tree = try SampleTree(
                Self.days, in: bench.directory("copies"), details: Self.details(of:))
            return try GalleryRun(at: tree.path)
        }
        return [
            Goal("gallery: all pages", unit: "ms", runs.median(\.all), .atMost(1000)),
            Goal("gallery: after a new day", unit: "ms", runs.median(\.one), .atMost(40)),
            Goal(
                "gallery, sidecars, feeds, wallpapers: processor time of a new day", unit: "ms",
                runs.median(\.derived), .atMost(60)),
        ]
    }

    /// The other fields of a record, with the length and the number of links of the current feed, three of them to
    /// other days.
    static func details(of day: Day) -> JSON {
        let days = [7, 400, day.number % 3000].compactMap { Day(number: day.number - $0) }
        let links = days.map {
            "<a href=\"https://apod.nasa.gov/apod/ap\($0.compact).html\">Another</a> star. "
        }
        let html = String(
            repeating:
                "<a href=\"https://science.nasa.gov/universe/stars/\">Filaments</a> of a star. "
                + "Filaments of a star. ",
            count: 20)
        return [
            "credit": "Somebody with a Telescope", "copyright": "Somebody with a Telescope",
            "permalink": "https://science.nasa.gov/image-article/apod-2026-november-20/",
            "alt": .string(String(repeating: "A cloud of gas and dust, blue and red. ", count: 8)),
            "explanation_html": .string(html + links.joined()),
        ]
    }
}

extension [GalleryRun] {
    fileprivate func median(_ figure: (GalleryRun) -> Double) -> Double {
        map(figure).percentile(50)
    }
}
