internal import APOD
internal import Mirror
internal import Platform

/// Reads the days of a page, or of pages that are made together, and remembers whether it could read all of them.
///
/// If it could not, ``file(of:at:from:)`` arranges that the next update makes the page again.
struct DayReader: Sendable {
    let input: ViewInput
    /// The links between days; `nil` for pages without texts.
    var links: DayLinks?
    private let unreadableCount = SharedValue(0)

    /// Reads the record of `day`; the result has no record if there is none, or if it cannot be read.
    ///
    /// - Throws: The error of the disk, if descriptors or memory are used up.
    func galleryDay(of day: Day) throws(SystemError) -> GalleryDay {
        var record: DayRecord?
        do {
            record = try input.store.record(of: day)
        } catch {
            // An unreadable file affects one day, but a lack of descriptors or memory affects all days.
            guard !error.concernsEveryFile else { throw error }
            unreadableCount.withLock { $0 += 1 }
        }
        return GalleryDay(day, record, in: input, links: links)
    }

    /// The file with the page `html`, to which a mark is added that shows that the page is the gallery's own.
    ///
    /// `digest` identifies the inputs of the page. If a day could not be read, the file is published without its digest.
    func file(
        of html: consuming [UInt8], at path: String, from digest: InputDigest
    ) -> ViewFiles.File {
        let couldReadAll = unreadableCount.withLock { $0 == 0 }
        html += InputDigest.mark(of: html, at: path)
        return ViewFiles.File(path: path, bytes: html, inputs: couldReadAll ? digest : nil)
    }

    /// The day whose picture represents a group of `days`: the first favorite with a picture, else the first day with one.
    ///
    /// If no day has a picture, it is the first favorite or else the first day; `nil` if `days` is empty.
    func cover(of days: [Day]) throws(SystemError) -> GalleryDay? {
        let favorites = days.filter(input.favorites.contains)
        let others = days.filter { !input.favorites.contains($0) }
        var first: GalleryDay?
        for day in favorites + others {
            let galleryDay = try galleryDay(of: day)
            if galleryDay.cover != nil { return galleryDay }
            if first == nil { first = galleryDay }
        }
        return first
    }
}
