internal import APOD
internal import JSON
internal import Mirror

/// The page of one year, newest day first, and its script for the search.
///
/// It is built day by day to keep only one record in memory.
struct YearPage {
    /// The data that other pages show of the year.
    struct Summary: Hashable, Sendable {
        var count: Int
        /// The path of the picture on the card of the year.
        var cover: String?
    }

    /// The typical size of a day on the page and in the script, in bytes.
    private static let dayCapacity = (page: 3500, words: 1400)

    private let year: Int
    private let grid: PictureGrid
    private(set) var words: [UInt8]
    private(set) var summary: Summary
    private var content: HTML
    private var month = 0
    private var coverIsFavorite = false

    /// - Parameters:
    ///   - year: The year.
    ///   - days: Its days, newest first, at least one.
    ///   - edges: The days next to the year.
    init(_ year: Int, days: [Day], edges: YearEdges) {
        self.year = year
        grid = PictureGrid(
            days: days, before: edges.later.map { .year(of: $0) },
            after: edges.earlier.map { .year(of: $0) })
        words = Array("addYear(\(year), [\n".utf8)
        summary = Summary(count: days.count)
        content = PageFrame(title: "\(year) – Astronomy Picture of the Day").start
        content.reserve(days.count * Self.dayCapacity.page)
        words.reserveCapacity(days.count * Self.dayCapacity.words)
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

    /// Appends the next day.
    mutating func add(_ galleryDay: GalleryDay, at index: Int) {
        if galleryDay.day.month != month { begin(galleryDay.day) }
        content += grid.article(galleryDay, at: index, date: galleryDay.day.formattedWithoutYear)
        appendWords(of: galleryDay, isFirst: index == 0)
        if let cover = galleryDay.cover,
            summary.cover == nil || galleryDay.isFavorite && !coverIsFavorite
        {
            summary.cover = cover
            coverIsFavorite = galleryDay.isFavorite
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

    /// Ends the page after all days were added.
    ///
    /// - Returns: The page and the script for the search.
    consuming func finish() -> (page: [UInt8], words: [UInt8]) {
        content += "</div>\n</section>\n"
        content += PageFrame.end
        words += "\n]);\n".utf8
        return (content.bytes, words)
    }
}

/// The days next to a year; `nil` if there are none.
struct YearEdges: Hashable, Sendable {
    /// The last day before it.
    var earlier: Day?
    /// The first day after it.
    var later: Day?
}

extension YearPage {
    /// Appends what a search reads of a day: day, title, text, credit, picture, and a number, 1 for a
    /// favorite plus 2 for a video.
    private mutating func appendWords(of galleryDay: GalleryDay, isFirst: Bool) {
        let entry = galleryDay.record?.entry
        let credit = [entry?.credit, entry?.copyright].compactMap(\.self)
        let fields: JSON = [
            .string(galleryDay.day.description), .string(galleryDay.title),
            .string(entry?.explanation ?? ""),
            .string(Set(credit).sorted().joined(separator: " ")),
            .string(galleryDay.cover.map { "../\($0.percentEncodedPath)" } ?? ""),
            .integer((galleryDay.isFavorite ? 1 : 0) + (galleryDay.isVideo ? 2 : 0)),
        ]
        if !isFirst { words += ",\n".utf8 }
        for byte in fields.line.utf8 {
            // `<` could end a script.
            if byte == UInt8(ascii: "<") { words += "\\u003c".utf8 } else { words.append(byte) }
        }
    }
}
