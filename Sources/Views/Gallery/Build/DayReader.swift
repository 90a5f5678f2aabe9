internal import APOD
internal import Mirror
internal import Platform

/// Reads the days of a page, or of pages that are made together, and remembers whether all could be read.
struct DayReader: Sendable {
    let input: ViewInput
    /// `nil` for pages without texts.
    var links: DayLinks?
    private let failures = SharedValue(0)

    /// The day with its record, or without if that cannot be read; throws if descriptors or memory are used up.
    func galleryDay(of day: Day) throws(SystemError) -> GalleryDay {
        var record: DayRecord?
        do {
            record = try input.store.record(of: day)
        } catch {
            // An unreadable file affects one day; a lack of descriptors or memory would affect all.
            guard error.cause != .shortage, !error.isCancelled else { throw error }
            failures.withLock { $0 += 1 }
        }
        return GalleryDay(day, record, in: input, links: links)
    }

    /// The page that was made of the days that were read, with its mark; the next update makes it again if the disk refused to
    /// read one.
    func page(
        _ bytes: consuming [UInt8], at path: String, from digest: InputDigest
    ) -> ViewFiles.File {
        let couldReadAll = failures.withLock { $0 == 0 }
        bytes += InputDigest.mark(of: bytes, at: path)
        return ViewFiles.File(path: path, bytes: bytes, inputs: couldReadAll ? digest : nil)
    }

    /// The day that the card of `days` shows: the first favorite with a picture, else the first day with one, else the first;
    /// `nil` if there is none.
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
