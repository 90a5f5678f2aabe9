internal import APOD
internal import Mirror
internal import Platform

/// Reads the days of a page, or of pages that are made together, and remembers whether it could read all of them.
///
/// If it could not, the page stays as it is, unless it lacks a day: see ``mustReplace(_:)``.
struct DayReader: Sendable {
    let input: ViewInput
    /// The links between days; `nil` for pages without texts.
    var links: DayLinks?
    /// The errors of all readers of an update, by the days whose records could not be read.
    let errors: SharedValue<[Day: SystemError]>
    private let couldReadAll = SharedValue(true)
    /// The days of the page, which has the date of each.
    private let shownDays = SharedValue([Day]())

    /// Reads the record of `day` for its page; the result has no record if there is none, or if it cannot be read.
    ///
    /// - Throws: The error of the disk, if descriptors or memory are used up.
    func galleryDay(of day: Day) throws(SystemError) -> GalleryDay {
        shownDays.withLock { $0.append(day) }
        return try read(day)
    }

    private func read(_ day: Day) throws(SystemError) -> GalleryDay {
        var record: DayRecord?
        do {
            record = try input.store.record(of: day)
        } catch {
            // An unreadable file affects one day, but a lack of descriptors or memory affects all days.
            guard !error.concernsEveryFile else { throw error }
            couldReadAll.withLock { $0 = false }
            errors.withLock { $0[day] = error }
        }
        return GalleryDay(day, record, in: input, links: links)
    }

    /// The file with the page `html`; `nil` if the present page stays, because a day could not be read.
    ///
    /// `digest` identifies the inputs of the page.
    func page(
        _ html: consuming [UInt8], at path: String, from digest: InputDigest
    ) -> ViewFiles.File? {
        // A page that cannot be read is not replaced either, which the outcome of publishing says.
        guard mustReplace(try? input.root.read(path)) else { return nil }
        return file(of: html, at: path, from: digest)
    }

    /// The file with the contents `html`, to which a mark is added that shows that the file is the gallery's own.
    ///
    /// If a day could not be read, the file is published without its digest, so that the next update makes it again.
    func file(
        of html: consuming [UInt8], at path: String, from digest: InputDigest
    ) -> ViewFiles.File {
        html += InputDigest.mark(of: html, at: path)
        let inputs = couldReadAll.withLock(\.self) ? digest : nil
        return ViewFiles.File(path: path, bytes: html, inputs: inputs)
    }

    /// Whether the new page is better than the `present` one: all days could be read, or the present one lacks a day.
    func mustReplace(_ present: [UInt8]?) -> Bool {
        guard let present, !couldReadAll.withLock(\.self) else { return true }
        return shownDays.withLock { days in
            days.contains { present.range(of: Array("datetime=\"\($0)\"".utf8)) == nil }
        }
    }

    /// The day whose picture represents a group of `days`: the first favorite with a picture, else the first day with one.
    ///
    /// If no day has a picture, it is the first favorite or else the first day; `nil` if `days` is empty.
    func cover(of days: [Day]) throws(SystemError) -> GalleryDay? {
        let favorites = days.filter(input.favorites.contains)
        let others = days.filter { !input.favorites.contains($0) }
        var first: GalleryDay?
        for day in favorites + others {
            let galleryDay = try read(day)
            if galleryDay.cover != nil { return galleryDay }
            if first == nil { first = galleryDay }
        }
        return first
    }
}
