internal import APOD
internal import Mirror
internal import Platform

/// Reads the days of a page, or of pages that are made together, and remembers whether it could read all of them.
struct DayReader: Sendable {
    let input: ViewInput
    /// `nil` for pages without texts.
    var links: DayLinks?
    private let failures = SharedValue(0)

    /// The day with its record, or without one that cannot be read; throws if descriptors or memory are used up.
    func galleryDay(of day: Day) throws(SystemError) -> GalleryDay {
        var record: DayRecord?
        do {
            record = try input.store.record(of: day)
        } catch {
            // An unreadable file affects one day, but a lack of descriptors or memory affects all days.
            guard error.cause != .shortage, !error.isCancelled else { throw error }
            failures.withLock { $0 += 1 }
        }
        return GalleryDay(day, record, in: input, links: links)
    }

    /// The file of a page that was made of these days, with its mark.
    ///
    /// If a day could not be read, the next update makes the page again.
    func page(
        _ bytes: consuming [UInt8], at path: String, from digest: InputDigest
    ) -> ViewFiles.File {
        let couldReadAll = failures.withLock { $0 == 0 }
        bytes += InputDigest.mark(of: bytes, at: path)
        return ViewFiles.File(path: path, bytes: bytes, inputs: couldReadAll ? digest : nil)
    }

    /// The day that the card of `days` shows: the first favorite with a picture, else the first day with one.
    ///
    /// Without any picture, it is the first favorite or day.
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
