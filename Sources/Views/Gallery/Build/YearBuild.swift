internal import APOD
internal import Mirror
internal import Platform

/// The files of the gallery that show one year: its page, its script for the search, and that for the pages of all days.
struct YearBuild: Sendable {
    let year: GalleryYear
    let edges: YearEdges
    let digest: InputDigest

    /// The directories of the scripts.
    static let scriptFolders = ["words", "days"].map { "\(PageFrame.folder)/\($0)" }

    /// In the order of ``YearPage/files``.
    var paths: [String] {
        ["\(PageFrame.folder)/\(year.number).html"]
            + Self.scriptFolders.map { "\($0)/\(year.number).js" }
    }

    /// Builds the files, and writes those that changed.
    func make(_ reader: DayReader) throws(SystemError) -> [MadePage] {
        let days = year.days
        var page = YearPage(year.number, days: days, edges: edges)
        for (index, day) in days.enumerated() {
            page.add(try reader.galleryDay(of: day), at: index)
        }
        page.finish()
        var made: [MadePage] = []
        for (path, bytes) in zip(paths, page.files) {
            let digest = reader.couldReadAll ? digest : nil
            made.append((path, try reader.input.store.publishPage(bytes, at: path, from: digest)))
        }
        return made
    }
}
