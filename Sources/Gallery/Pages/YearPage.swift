internal import APOD
internal import Mirror

/// The page of one year, newest day first, and what a search reads of it.
///
/// It is made day by day, so that one day at a time is in memory beside what is written of it.
struct YearPage {
    /// What other pages say of the year.
    struct Summary: Hashable, Sendable {
        var count: Int
        /// The path of the picture that stands for the year.
        var cover: String?
    }

    /// The bytes that a day takes on the page and in the script, for most of them.
    private static let room = (page: 3500, words: 1400)

    private let year: Int
    private let wall: PictureGrid
    private(set) var words: Script
    private(set) var summary: Summary
    private var content: HTML
    private var month = 0
    private var coverIsFavorite = false

    /// - Parameters:
    ///   - year: Its number.
    ///   - days: Its days, newest first, at least one.
    ///   - edges: The days next to it.
    init(_ year: Int, days: [Day], edges: YearEdges) {
        self.year = year
        wall = PictureGrid(
            days: days, before: edges.later.map { .year(of: $0) },
            after: edges.earlier.map { .year(of: $0) })
        words = Script("addYear(\(year), [\n")
        summary = Summary(count: days.count)
        content = PageFrame(title: "\(year) – Astronomy Picture of the Day").start
        content.reserve(days.count * Self.room.page)
        words.reserve(days.count * Self.room.words)
        content += """
            <div class="heading">
            <h1>\(year)</h1>
            <nav class="around" aria-label="Years">\
            \(Self.link(to: edges.later?.year))\(Self.link(to: edges.earlier?.year))</nav>
            </div>
            <nav class="months" aria-label="Months">
            \(Self.months(of: days))</nav>

            """
    }

    private static func link(to year: Int?) -> HTML? {
        year.map { "<a href=\"\($0).html\">\($0)</a> " }
    }

    private static func months(of days: [Day]) -> [HTML] {
        var months: [Day] = []
        for day in days where day.month != months.last?.month { months.append(day) }
        return months.map { "<a href=\"#\(Day.months[$0.month - 1])\">\($0.monthName)</a>\n" }
    }

    /// Adds the next of the days.
    mutating func add(_ exhibit: GalleryDay, at index: Int) {
        if exhibit.day.month != month { begin(exhibit.day) }
        content += wall.article(exhibit, at: index, date: exhibit.day.inYear)
        words.append(exhibit, isFirst: index == 0)
        if let cover = exhibit.cover, summary.cover == nil || exhibit.isFavorite && !coverIsFavorite
        {
            summary.cover = cover
            coverIsFavorite = exhibit.isFavorite
        }
    }

    private mutating func begin(_ day: Day) {
        if month != 0 { content += "</div>\n</section>\n" }
        month = day.month
        content += """
            <section class="month" id="\(Day.months[month - 1])">
            <h2>\(day.monthName)</h2>
            <div class="grid">

            """
    }

    /// Ends the page once all days are added.
    ///
    /// - Returns: The page, and the script that a search loads.
    consuming func finish() -> (page: [UInt8], words: [UInt8]) {
        content += "</div>\n</section>\n"
        content += PageFrame.end
        words.append(code: "\n]);\n")
        return (content.bytes, words.bytes)
    }
}

/// The days next to a year, `nil` where there are none.
struct YearEdges: Hashable, Sendable {
    /// The last day before it.
    var earlier: Day?
    /// The first day after it.
    var later: Day?
}

extension Script {
    /// Adds what a search looks through: day, title, text, credit, picture, and 1 for a favorite, 2 for
    /// a video, 3 for both.
    fileprivate mutating func append(_ exhibit: GalleryDay, isFirst: Bool) {
        let entry = exhibit.record?.entry
        let credit = [entry?.credit, entry?.copyright].compactMap(\.self)
        let texts = [
            exhibit.day.description, exhibit.title, entry?.explanation ?? "",
            Set(credit).sorted().joined(separator: " "),
            exhibit.cover.map { "../\($0.asLink)" } ?? "",
        ]
        append(code: isFirst ? "[" : ",\n[")
        for text in texts {
            append(string: text)
            append(code: ",")
        }
        append(code: "\((exhibit.isFavorite ? 1 : 0) + (exhibit.isFilm ? 2 : 0))]")
    }
}
