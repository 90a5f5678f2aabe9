internal import APOD
internal import Mirror
internal import Platform
internal import Synchronization

/// Reads the records of the days that a page of the gallery shows, and then makes the file of the page.
///
/// If the record of a day cannot be read, the present page stays as it is, unless it lacks a day. Each page has a reader of its
/// own; the files of a year, which are made together, have one. Several tasks may use a reader.
final class DayReader: Sendable {
    private struct State {
        /// The days that the page shows, each with its date.
        var shownDays: [Day] = []
        var couldReadAll = true
    }

    let input: ViewInput
    /// The links between days; `nil` for pages without texts.
    private let links: DayLinks?
    /// The errors of all readers of an update, by the days whose records could not be read.
    private let recordErrors: SharedValue<[Day: SystemError]>
    private let state = Mutex(State())

    init(
        _ input: ViewInput, linking links: DayLinks? = nil,
        collecting recordErrors: SharedValue<[Day: SystemError]>
    ) {
        self.input = input
        self.links = links
        self.recordErrors = recordErrors
    }

    // MARK: Days

    /// Reads the record of `day` for its page; the result has no record if there is none, or if it cannot be read.
    ///
    /// - Throws: The error of the disk, if descriptors or memory are used up.
    func galleryDay(of day: Day) throws(SystemError) -> GalleryDay {
        state.withLock { $0.shownDays.append(day) }
        return try read(day)
    }

    private func read(_ day: Day) throws(SystemError) -> GalleryDay {
        var record: DayRecord?
        do {
            record = try input.store.record(of: day)
        } catch {
            // An unreadable file affects one day, but a lack of descriptors or memory affects all days.
            guard !error.concernsEveryFile else { throw error }
            state.withLock { $0.couldReadAll = false }
            recordErrors.withLock { $0[day] = error }
        }
        return GalleryDay(day, record, in: input, links: links)
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

    // MARK: The file of the page

    /// The file to publish with the page `html`, made from the inputs of `digest`; `nil` if the present page is to stay.
    func fileToPublish(
        _ html: consuming [UInt8], at path: String, from digest: InputDigest
    ) -> ViewFiles.File? {
        // If the present page cannot be read, the new one is made, but ``ViewBatch`` does not publish it.
        let present = try? input.root.read(path)
        return isImprovement(over: present) ? file(html, at: path, from: digest) : nil
    }

    /// The file with the contents `html`, to which a mark is added: by it, a later update recognizes a file of the gallery.
    ///
    /// If a day could not be read, the file is published without its digest, so that the next update makes it again.
    func file(
        _ html: consuming [UInt8], at path: String, from digest: InputDigest
    ) -> ViewFiles.File {
        html += InputDigest.mark(of: html, at: path)
        let isWhole = state.withLock { $0.couldReadAll }
        return ViewFiles.File(path: path, bytes: html, inputs: isWhole ? digest : nil)
    }

    /// Whether the new page is to replace the `present` one: all days could be read, or the present one lacks a day.
    func isImprovement(over present: [UInt8]?) -> Bool {
        let current = state.withLock { $0 }
        guard let present, !current.couldReadAll else { return true }
        // Each page has the date of each of its days in an element such as `<time datetime="2026-11-20">`.
        return current.shownDays.contains { day in
            present.range(of: Array("datetime=\"\(day)\"".utf8)) == nil
        }
    }
}
