internal import APOD
internal import Mirror
internal import Platform

/// The files of the gallery that show one year: its page, its scripts for the search and for the pages of all days, and
/// the links in its texts.
struct YearBuild: Sendable {
    let year: GalleryYear
    /// The years with days before and after it.
    let neighbours: [Int]
    let digest: InputDigest

    /// The directories of the files beside the page.
    static let folders = ["words", "days", "links"].map { "\(PageFrame.folder)/\($0)" }

    /// In the order of ``make(_:)``.
    var paths: [String] {
        ["\(PageFrame.folder)/\(year.number).html"]
            + zip(Self.folders, [".js", ".js", ".txt"]).map { "\($0)/\(year.number)\($1)" }
    }

    /// The path of the links.
    var links: String { paths[3] }

    /// Builds the files, and writes those that changed.
    func make(_ reader: DayReader) throws(SystemError) -> [MadePage] {
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
        return try zip(paths, files).map { path, bytes throws(SystemError) in
            try reader.input.store.publish(reader.page(bytes, at: path, from: digest))
        }
    }
}

/// The page of the gallery that shows the days of one month, each of which can be opened.
struct MonthBuild: Sendable {
    let month: GalleryMonth
    /// The days before and after it.
    let neighbours: (earlier: Day?, later: Day?)
    let digest: InputDigest

    var path: String { "\(PageFrame.folder)/\(month.newest.page)" }

    /// Builds the page.
    func make(_ reader: DayReader) throws(SystemError) -> NewPage {
        var page = MonthPage(month, neighbours: neighbours)
        for (index, day) in month.days.enumerated() {
            page.add(try reader.galleryDay(of: day), at: index)
        }
        return reader.page(page.finished, at: path, from: digest)
    }
}
