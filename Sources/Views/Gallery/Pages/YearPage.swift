internal import APOD
internal import JSON
internal import Mirror

/// The page of one year, newest day first, its script for the search, and that for the pages of all days.
///
/// It is built day by day to keep only one record in memory.
struct YearPage {
    /// The typical size of a day on the page and in the script, in bytes.
    private static let dayCapacity = (page: 5000, words: 1400, list: 240)

    private let year: Int
    private let grid: PictureGrid
    private var words: [UInt8]
    private var list: [UInt8]
    private var content: HTML
    private var month = 0

    /// Begins the page of a year with these days, newest first, at least one.
    init(_ year: Int, days: [Day], edges: YearEdges) {
        self.year = year
        grid = PictureGrid(
            days: days, before: edges.later.map { .year(of: $0) },
            after: edges.earlier.map { .year(of: $0) })
        words = Array("// \(Asset.mark)\naddYear(\(year), [\n".utf8)
        list = Array("// \(Asset.mark)\naddDays(\(year), [\n".utf8)
        content = PageFrame(title: "\(year)").start
        content.reserve(days.count * Self.dayCapacity.page)
        words.reserveCapacity(days.count * Self.dayCapacity.words)
        list.reserveCapacity(days.count * Self.dayCapacity.list)
        content += """
            <div class="heading">
            <h1>\(year)</h1>
            <nav class="around" aria-label="Years">\
            \(Self.link(to: edges.later?.year))\(Self.link(to: edges.earlier?.year))</nav>
            </div>
            <nav class="months" aria-label="Months">
            \(Self.months(of: days))</nav>
            \(Self.calendar(of: days))
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
        grid.append(galleryDay, at: index, date: galleryDay.day.formattedWithoutYear, to: &content)
        Self.append(words(of: galleryDay.fitting(words.count)), to: &words, isFirst: index == 0)
        Self.append(data(of: galleryDay.fitting(list.count)), to: &list, isFirst: index == 0)
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
    mutating func finish() {
        content += "</div>\n</section>\n"
        content += PageFrame.end
        words += "\n]);\n".utf8
        list += "\n]);\n".utf8
    }

    /// The page, the script for the search, and that of the days.
    var files: [[UInt8]] { [content.bytes, words, list] }
}

/// The days next to a year; `nil` if there are none.
struct YearEdges: Hashable, Sendable {
    /// The last day before it.
    var earlier: Day?
    /// The first day after it.
    var later: Day?
}

extension YearPage {
    /// What a search reads of a day: day, title, text, credit, picture, and ``marks(of:)``.
    private func words(of galleryDay: GalleryDay) -> JSON {
        let entry = galleryDay.record?.entry
        let credit = [entry?.credit, entry?.copyright].compactMap(\.self)
        return [
            .string(galleryDay.day.description), .string(galleryDay.title),
            .string(entry?.explanation ?? ""),
            .string(Set(credit).sorted().joined(separator: " ")),
            address(galleryDay.cover), marks(of: galleryDay),
        ]
    }

    /// What the pages of all days read of a day: month and day, title, small picture, the picture itself if
    /// browsers show it, and ``marks(of:)``.
    private func data(of galleryDay: GalleryDay) -> JSON {
        [
            .string(String(galleryDay.day.description.suffix(5))), .string(galleryDay.title),
            address(galleryDay.cover), address(galleryDay.original), marks(of: galleryDay),
        ]
    }

    private func address(_ path: String?) -> JSON {
        .string(path.map { "../\($0.percentEncodedPath)" } ?? "")
    }

    /// 1 for a favorite plus 2 for a video.
    private func marks(of galleryDay: GalleryDay) -> JSON {
        .integer((galleryDay.isFavorite ? 1 : 0) + (galleryDay.isVideo ? 2 : 0))
    }

    /// Appends an element of the array in a script.
    ///
    /// A method of an instance would refer to the script twice, and so copy it.
    private static func append(_ fields: JSON, to script: inout [UInt8], isFirst: Bool) {
        if !isFirst { script += ",\n".utf8 }
        for byte in fields.line.utf8 {
            // `<` could end a script.
            if byte == UInt8(ascii: "<") { script += "\\u003c".utf8 } else { script.append(byte) }
        }
    }

    /// A calendar of the months, with links to `days`.
    private static func calendar(of days: [Day]) -> HTML {
        """
        <details class="calendar">
        <summary>Calendar</summary>
        <div>
        \((1...12).compactMap { month in sheet(of: days.filter { $0.month == month }) })</div>
        </details>

        """
    }

    /// The days of one month; `nil` if there are none.
    private static func sheet(of days: [Day]) -> HTML? {
        guard let first = days.last else { return nil }
        // Monday is 1; the first day of 1970 was a Thursday.
        let start = (first.advanced(by: 1 - first.day).number + 3) % 7 + 1
        var (links, last): ([HTML], Int) = ([], 0)
        for day in days.reversed() {
            for missing in last + 1..<day.day { links.append("<span>\(missing)</span>") }
            links.append("<a href=\"#\(day)\">\(day.day)</a>")
            last = day.day
        }
        return """
            <div class="sheet"><h2>\(first.monthName)</h2><p class="from-\(start)">\(links)</p></div>

            """
    }
}
