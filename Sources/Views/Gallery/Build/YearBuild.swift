internal import APOD
internal import Mirror
internal import Platform

/// Makes the files of the gallery that show all days of one year.
struct YearBuild: Sendable {
    let year: GalleryYear
    /// The years with days next to it, to which the page links.
    let neighbors: [Int]

    enum File: CaseIterable {
        case page
        /// The titles and pictures, for the pages that scripts fill.
        case days
        /// The texts, for the search.
        case words
        /// The links in the texts, for ``DayLinks`` in later updates; no page reads it.
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

    /// Adds the files to `batch`; returns the links in the texts.
    func make(_ reader: DayReader, in batch: ViewBatch) throws(SystemError) -> LinkList {
        var page = YearPage(year, neighbors: neighbors)
        var scripts = YearScripts(year.year)
        var links = LinkList()
        for day in year.days {
            let galleryDay = try reader.galleryDay(of: day)
            page.add(galleryDay)
            scripts.add(galleryDay)
            links.add(galleryDay)
        }
        let files: [(File, [UInt8])] = [
            (.page, page.finished), (.days, scripts.finishedDays),
            (.words, scripts.finishedWords), (.links, links.bytes),
        ]
        try batch.add(files.map { reader.page($1, at: $0.path(of: year.year), from: digest) })
        return links
    }
}
