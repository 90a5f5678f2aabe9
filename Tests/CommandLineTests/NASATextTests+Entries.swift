import APOD
import PictureSamples
import Simulator

/// The entries of the simulated NASA: texts and media that other programs met.
extension WholeProgram.NASATextTests {
    /// What is raised or lowered in the text of a real day.
    struct Exponent {
        let day: String
        let html: String
        let text: String
        let symbol: String
    }

    /// Real days with exponents or indices; the first seven have had theirs in each kind of feed.
    static let exponents: [Exponent] =
        [
            Exponent(
                day: "1997-05-01", html: "Einstein's E=mc<sup>2</sup>.",
                text: "Einstein's E=mc².", symbol: "E=mc²"),
            Exponent(
                day: "1997-06-27", html: "carbon dioxide (CO<sub>2</sub>)",
                text: "carbon dioxide (CO₂)", symbol: "CO₂"),
            Exponent(
                day: "1998-05-30", html: "Water, H<sub>2</sub>O, is", text: "Water, H₂O, is",
                symbol: "H₂O"),
        ]
        + ["2002-04-30", "2003-05-18", "2005-01-30", "2007-12-16", "2009-09-13", "2017-04-23"]
        .map { day in
            Exponent(
                day: day,
                html: """
                    The most information you can get from this image is about 3 x 10<sup>65</sup> bits for a \
                    normal sized computer monitor.
                    """,
                text: """
                    The most information you can get from this image is about 3 x 10⁶⁵ bits for a normal sized \
                    computer monitor.
                    """, symbol: "3 x 10⁶⁵ bits")
        }

    static let folder = "/content/dam/science/cds/apod/apod"
    static let posters = "/vi/UgxWkOXcdZU"
    private static let rollover = "smd-image-rollover__image"

    private static func picture(_ name: String, _ seed: UInt64) -> SimulatedPicture {
        SimulatedPicture.drawn(name, seed: seed, width: 48, height: 32)
    }

    private static func entry(
        _ date: String, _ title: String, html: String = "A star.", _ media: SimulatedMedia
    ) -> SimulatedEntry {
        SimulatedEntry(
            day: Day(iso: date) ?? .first, title: title, explanationHTML: html, media: media)
    }

    private static func markup(_ text: String, _ names: String...) -> SimulatedMedia {
        .markup(text, files: names.enumerated().map { picture($1, UInt64($0)) })
    }

    private static func poster(_ name: String, width: Int) -> SimulatedPicture {
        var poster = SimulatedPicture.drawn(name, seed: 15, width: width, height: 32)
        poster.v1Paths = ["\(posters)/\(name)"]
        return poster
    }

    /// All days; each kind is an array of its own, because compilers need long for large ones.
    static let entries: [SimulatedEntry] = [
        exponents.map {
            entry($0.day, "Exponents", html: $0.html, .picture(picture("a.jpg", 3)))
        }, titles, texts, fields, media, files,
    ].flatMap(\.self)

    private static let titles: [SimulatedEntry] = [
        entry(
            "2024-12-07", "APOD: 2024 December 7 – Rocket Engine Fireplace",
            markup("<img src=\"\(folder)/2024/december/r.jpg\">", "r.jpg")),
        entry(
            "2024-12-08", "APOD: 2024 December 8 - Stereo Jupiter",
            .picture(picture("s.jpg", 9))),
        entry("2024-12-09", "APOD: 2024 December 9", .picture(picture("t.jpg", 10))),
        entry(
            "2024-12-10", "APOD: 10 December 2024 – Day First",
            .picture(picture("u.jpg", 12))),
        entry("2024-12-11", "APOD: 2024 Dec 11 - Short", .picture(picture("v.jpg", 13))),
        entry("2024-12-12", "Dec. 12, 2024: Dot", .picture(picture("w.jpg", 14))),
    ]

    private static let texts: [SimulatedEntry] = [
        entry(
            "2026-09-20", "Earth\u{92}s Orbit", html: "<b>It&#146;s</b> near&#133;",
            .picture(picture("b.jpg", 4))),
        entry(
            "2026-09-21", "Bold",
            html:
                """
                One.<br><br><b>It is big.</b> Two.<br><br><b>A note on size:</b> three.<br><br>\
                <b>Big news:</b> four.<br><br><b>Follow APOD on:</b> x<br>\
                <strong class="note">APOD has moved</strong>
                """,
            .picture(picture("c.jpg", 5))),
        entry(
            "2026-09-22", "Powers",
            html: """
                <math><mn>3</mn><mo>×</mo><msup><mn>10</mn><mn>65</mn></msup></math> bits, \
                10<sup>-19</sup> <a href="ap020430.html">grams</a>, the 5<sup>th</sup>, e<sup>x</sup>, \
                T<sub>eff</sub>, <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>
                """, .picture(picture("e.jpg", 11))),
        entry(
            "2026-09-23", "Saturn&#8217;s Moon",
            html: """
                Saturn 's moon ( Hyperion ), <q>half</q> &half;. <p> <b> News: </b> a comet. <p>
                What follows stays: NASA&amp;#8217;s \
                <a href="lib/gloss ary.html#dust">dust</a> <table><tr><td>Mars</td><td>2</td></tr></table>
                """, .picture(picture("f.jpg", 17))),
        entry(
            "2026-09-29", "Links",
            html: """
                <a href="http://www.star.ucl.ac.uk/~apod/apod/ap170423.html">a</a>
                <a href="https://apod.com/en/ap970501.html">b</a> <a href="ap970627.html">c</a>
                <a href="///Users/jtbonnel/Desktop/apodT/ap261004.html">d</a>
                <a href="https://mirror.example.edu/apod/ap980530.html">e</a>
                """, .picture(picture("d.jpg", 8))),
    ]

    /// What takes the place of the capital letters in ``fields``, as WordPress and its plugins write fields.
    static let replacements = [
        "HALF": #"\ud83d"#, "BREAK": "\n\\u2019", "\"NUMBER\"": "2012",
        "\"RENDERED\"": #"{"rendered":"Caf&#233;","protected":false}"#, "\"LIST\"": "[1]",
    ]

    private static let fields: [SimulatedEntry] =
        [("01", "HALF Moon", "a"), ("02", "Raw BREAK Feed", "a"), ("03", "NUMBER", "a")].map {
            field($0, $1, alt: $2)
        }
        + [
            field("04", "RENDERED", alt: "LIST"),
            field("05", "Long", alt: String(repeating: "x", count: 5000)),
        ]
        // Articles with pictures in them, which are longer than a list otherwise is.
        + ["06", "07", "08", "09", "10"].map { date in
            let picture = String(repeating: "A", count: 900_000)
            return entry(
                "2026-08-\(date)", "Inline",
                markup(
                    """
                    <img src="data:image/png;base64,\(picture)"><img src="\(folder)/2026/august/\(date).jpg">
                    """, "\(date).jpg"))
        }

    private static func field(_ date: String, _ title: String, alt: String) -> SimulatedEntry {
        var entry = entry("2026-08-\(date)", title, .picture(picture("\(date).jpg", 18)))
        entry.alt = alt
        return entry
    }

    private static let media: [SimulatedEntry] = [
        entry(
            "2026-09-17", "Hidden Frames",
            markup(
                """
                <iframe src="https://tags.example.com/" height="0"></iframe>
                <iframe src="https://www.googletagmanager.com/ns.html"></iframe>
                <div style="display:none"><iframe src="https://example.org/"></iframe></div>
                """)),
        entry(
            "2026-09-18", "Unknown Player",
            markup("<iframe src=\"https://earth.nullschool.net/\"></iframe>")),
        entry(
            "2026-09-19", "Poster",
            .markup(
                "<img src=\"\(posters)/hqdefault.jpg\">",
                files: [
                    poster("sddefault.jpg", width: 64), poster("hqdefault.jpg", width: 48),
                ])),
        entry(
            "2026-09-24", "Rollover",
            markup(
                """
                <img class="\(rollover) \(rollover)--secondary" src="\(folder)/2026/september/lines.jpg">
                <img class="\(rollover) \(rollover)--primary" src="\(folder)/2026/september/stars.jpg">
                """, "stars.jpg", "lines.jpg")),
        entry(
            "2026-09-25", "Linked",
            markup(
                """
                <a href="\(folder)/2026/september/foo_big.jpg"><img src="\(folder)/2026/september/foo_1024.jpg"></a>
                """, "foo_big.jpg", "foo_1024.jpg")),
        entry(
            "2026-09-26", "Frames",
            markup(
                """
                <noscript><iframe src="https://www.googletagmanager.com/ns.html"></iframe></noscript>
                <iframe src="///Users/jtbonnel/video.html"></iframe>
                <img src="\(folder)/2026/september/frame.jpg">
                """, "frame.jpg")),
        entry(
            "2026-09-30", "Lazy",
            markup(
                """
                <iframe src="about:blank"></iframe>
                <img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="\(folder)/2026/september/lazy.jpg">
                """, "lazy.jpg")),
        entry("2026-09-27", "Refused", .picture(picture("refused.jpg", 6))),
        entry("2026-09-28", "Wall", .picture(picture("wall.jpg", 7))),
    ]
    private static func file(
        _ date: String, _ title: String, named name: String, _ bytes: [UInt8]
    ) -> SimulatedEntry {
        entry(
            date, title,
            .markup(
                "<img src=\"\(folder)/2026/august/\(name)\">",
                files: [SimulatedPicture(name: name, source: .bytes(bytes))]))
    }

    private static let chart = Chart(96, 64)
    /// Of these bytes, a line breaks off the last.
    static let largeBytes =
        chart.jpeg() + [UInt8](repeating: 0, count: 2_100_000 - chart.jpeg().count)

    private static let files: [SimulatedEntry] = [
        entry(
            "2026-06-03", "Month Before",
            .markup(
                "<img src=\"\(folder)/2026/june/NGC2403-LRGB+Ha-v25-f.jpg\">",
                files: [
                    SimulatedPicture(
                        name: "NGC2403-LRGB+Ha-v25-f.jpg",
                        source: .drawn(Drawing(seed: 21, width: 48, height: 32)),
                        shelf: Day(iso: "2026-05-31"))
                ])),
        entry(
            "2026-08-11", "Brackets",
            markup(
                "<img src=\"\(folder)/2026/august/Harvest%20Moon%20(LD).jpg\">",
                "Harvest Moon (LD).jpg")),
        file("2026-08-12", "GIF", named: "a.gif", chart.gif()),
        file(
            "2026-08-13", "Empty GIF", named: "b.gif",
            Chart.withEmptyFrame(chart.gif(), .transparent)),
        file(
            "2026-08-14", "SVG", named: "drawing.png",
            Array("<!-- \(String(repeating: "x", count: 100)) -->\n<svg></svg>".utf8)),
        file(
            "2026-08-15", "Stray", named: "stray.jpg",
            chart.jpeg()[..<2] + [UInt8](repeating: 0, count: 100) + chart.jpeg()[2...]),
        entry(
            "2026-08-16", "Pixel",
            .drawn("pixel.jpg", seed: 22, width: 1, height: 1)),
        file("2026-08-17", "Cut", named: "cut.jpg", largeBytes),
        entry("2026-08-18", "Coding", .picture(picture("coding.jpg", 23))),
    ]
}
