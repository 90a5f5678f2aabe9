internal import APOD
internal import Mirror
internal import Platform

/// Makes the four files of the gallery that have all days of one year.
struct YearBuild: Sendable {
    let year: GalleryYear
    /// The years before and after it that have days, to which the page links.
    let neighbors: [Int]

    /// The files of a year; two of them are scripts that contain data, because a page can load nothing else.
    enum File: CaseIterable {
        /// The ``YearPage``.
        case page
        /// The titles and pictures in ``YearScripts``, for the pages that scripts fill.
        case days
        /// The texts in ``YearScripts``, for the search.
        case words
        /// The ``LinkList``, for later updates.
        case links

        /// The directory of the files of all years, such as `gallery/days`.
        var folder: String { PageFrame.folder + (self == .page ? "" : "/\(self)") }

        func path(of year: Int) -> String {
            let name =
                switch self {
                case .page: "\(year).html"
                case .days, .words: "\(year).js"
                case .links: "\(year).txt"
                }
            return "\(folder)/\(name)"
        }
    }

    var digest: InputDigest {
        var digest = year.digest
        for year in neighbors { digest.add(year) }
        return digest
    }

    var paths: [String] { File.allCases.map { $0.path(of: year.year) } }

    /// Adds the four files to `batch`, and returns the links in the texts of the year.
    ///
    /// Only the records of months that have changed are read. The parts of the other months come from the earlier files. If a
    /// record cannot be read, and the page has its day already, nothing is added.
    ///
    /// - Throws: The error of an earlier file that cannot be read, if only that file has the days of a month.
    func make(_ reader: DayReader, in batch: ViewBatch) async throws -> LinkList {
        let earlier = try earlierFiles(in: reader.input.root)
        let months = try await year.months.mapTwoAtATime { month in
            try YearMonth(month, in: earlier) ?? YearMonth(month, from: reader)
        }
        if !reader.isImprovement(over: earlier[.page]), let list = earlier[.links] {
            return LinkList(contents: list)
        }
        func part(_ file: File) -> [UInt8] { months.flatMap { $0.parts[file, default: []] } }
        let links = LinkList(lines: part(.links))
        let page = YearPage(year: year, neighbors: neighbors)
        let files: [(File, [UInt8])] = [
            (.page, page.page(HTML(page: part(.page)))),
            (.days, YearScripts.days(of: year.year, part(.days))),
            (.words, YearScripts.words(of: year.year, part(.words))), (.links, links.bytes),
        ]
        try batch.add(files.map { reader.file($1, at: $0.path(of: year.year), from: digest) })
        return links
    }

    /// The files of the last update, without those that are missing or cannot be read.
    private func earlierFiles(in root: Directory) throws(SystemError) -> [File: [UInt8]] {
        var files: [File: [UInt8]] = [:]
        for file in File.allCases {
            do throws(SystemError) {
                files[file] = try ifValid(root.read(file.path(of: year.year)))
            } catch {
                // Without an earlier file, all records of the year are read, for which their folders must be listed.
                guard !year.months.contains(where: \.isKept) else { throw error }
            }
        }
        return files
    }
}

/// One month in the files of its year: a part of each file.
///
/// A part begins and ends with the same line, its mark, which has the digest of the month. A later update finds the part by its
/// marks.
private struct YearMonth: Sendable {
    private(set) var parts: [YearBuild.File: [UInt8]] = [:]

    /// Takes the parts from `files`, the earlier files of the year; `nil` if one of them lacks the marks of the present month.
    ///
    /// The bytes between the marks are not checked: damage stays until the month changes or the file is deleted.
    init?(_ month: GalleryMonth, in files: [YearBuild.File: [UInt8]]) {
        for file in YearBuild.File.allCases {
            let mark = Self.mark(month.digest, in: file, of: month)
            guard let bytes = files[file], let start = bytes.range(of: mark),
                let end = bytes.range(of: mark, from: start.upperBound)
            else { return nil }
            parts[file] = Array(bytes[start.lowerBound..<end.upperBound])
        }
    }

    /// Makes the parts from the records, with one record at a time in memory.
    ///
    /// If a record cannot be read, the marks have another digest than the month, so that the next update makes the parts again.
    /// The heading has the `id` `2026-11`, so that the address `2026.html#2026-11` leads there.
    init(_ month: GalleryMonth, from reader: DayReader) throws(SystemError) {
        let newest = month.newest
        var section: HTML = """
            <section class="month" id="\(YearPage.identifier(newest))">
            <h2 id="\(month.name)"><a href="\(newest.galleryPage)">\(newest.monthName)</a></h2>
            <div class="grid">

            """
        var isWhole = true
        for day in month.days {
            let galleryDay = try reader.galleryDay(of: day)
            if galleryDay.record == nil { isWhole = false }
            section += galleryDay.card(
                to: day.galleryLink, root: "../", date: day.formattedWithoutYear,
                identifier: "\(day)")
            parts[.days, default: []] += YearScripts.dayLine(galleryDay)
            parts[.words, default: []] += YearScripts.wordLine(galleryDay)
            parts[.links, default: []] += LinkList.line(galleryDay)
        }
        section += "</div>\n</section>\n"
        parts[.page] = section.bytes
        var digest = month.digest
        if !isWhole { digest.add("not whole") }
        for (file, part) in parts {
            let mark = Self.mark(digest, in: file, of: month)
            parts[file] = mark + part + mark
        }
    }

    private static func mark(
        _ digest: InputDigest, in file: YearBuild.File, of month: GalleryMonth
    ) -> [UInt8] {
        Array(digest.line(forFileAt: file.path(of: month.newest.year)).utf8)
    }
}
