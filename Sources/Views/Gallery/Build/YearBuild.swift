internal import APOD
internal import Mirror
internal import Platform

/// The files of the gallery that show one year: its page, its scripts for the search and for the pages of all days, and
/// the links in its texts.
struct YearBuild: Sendable {
    let year: GalleryYear
    /// The years with days before and after it.
    let neighbours: [Int]

    var digest: InputDigest {
        var digest = year.digest
        for year in neighbours { digest.add(year) }
        return digest
    }

    /// The directories of the files beside the page.
    static let folders = ["words", "days", "links"].map { "\(PageFrame.folder)/\($0)" }

    /// In the order of ``make(_:)``.
    var paths: [String] {
        ["\(PageFrame.folder)/\(year.number).html"]
            + zip(Self.folders, [".js", ".js", ".txt"]).map { "\($0)/\(year.number)\($1)" }
    }

    /// The path of the links.
    static func links(of year: Int) -> String { "\(folders[2])/\(year).txt" }

    /// Builds the files and writes those that changed.
    func make(
        _ reader: DayReader
    ) throws(SystemError) -> (year: Int, links: LinkList, pages: [MadePage]) {
        var page = YearPage(year, neighbours: neighbours)
        var scripts = YearScripts(year.number)
        var links = LinkList()
        for day in year.days {
            let galleryDay = try reader.galleryDay(of: day)
            page.add(galleryDay)
            scripts.add(galleryDay)
            links.add(galleryDay)
        }
        let files = [page.finished, scripts.words.finished, scripts.days.finished, links.bytes]
        let pages = try zip(paths, files).map { path, bytes throws(SystemError) in
            try reader.input.store.publish(reader.page(bytes, at: path, from: digest))
        }
        return (year.number, links, pages)
    }
}

/// The page of the gallery that shows the days of one month, each of which can be opened.
struct MonthBuild: Sendable {
    let month: GalleryMonth
    let digest: InputDigest

    init(month: GalleryMonth, _ links: DayLinks) {
        self.month = month
        var digest = month.digest
        for day in [month.earlier, month.later] { digest.add(day?.number ?? 0) }
        for day in month.days { links.add(day, to: &digest) }
        self.digest = digest
    }

    var path: String { "\(PageFrame.folder)/\(month.newest.page)" }

    /// Builds the page.
    func make(_ reader: DayReader) throws(SystemError) -> NewPage {
        var page = MonthPage(month)
        for (index, day) in month.days.enumerated() {
            page.add(try reader.galleryDay(of: day), at: index)
        }
        return reader.page(page.finished, at: path, from: digest)
    }
}
