internal import APOD
internal import Mirror
internal import Platform

/// Reads days and builds the pages of years.
struct YearPageBuilder: Sendable {
    let store: Store
    let favorites: Set<Day>
    /// The days with a ``Rendition``.
    let renditions: Set<Day>
    /// The years with a record that could not be read, although its file may be whole.
    private let unreadable = Monitor<Set<Int>>([])

    init(store: Store, favorites: Set<Day>) {
        (self.store, self.favorites) = (store, favorites)
        // Without them the pages show the originals.
        let names = try? store.tree.root.folder(Rendition.folder)?.textNames()
        let days = (names ?? []).compactMap { name in
            FileName.day(of: name).flatMap {
                Rendition.path(of: $0) == "\(Rendition.folder)/\(name)" ? $0 : nil
            }
        }
        renditions = Set(days)
    }

    /// Identifies the renditions of the shown days as an input of a page.
    func renditions(of isShown: (Day) -> Bool) -> String {
        "\(renditions.filter(isShown).sorted())"
    }

    /// Reads the record of `day`; the result is without one if it cannot be read.
    ///
    /// `thumbnails` are the days of its year that have a thumbnail; `nil` tests for the file.
    ///
    /// - Throws: ``SystemError`` if the process lacks descriptors or memory.
    func galleryDay(of day: Day, thumbnails: Set<Day>? = nil) throws(SystemError) -> GalleryDay {
        let isSmall = if let thumbnails { thumbnails.contains(day) } else { try hasThumbnail(day) }
        var record: DayRecord?
        do {
            record = try store.readRecord(of: day)
        } catch {
            // An unreadable file affects one day; a lack of descriptors or memory would affect all.
            guard !error.isShortage, !error.isCancelled else { throw error }
            unreadable.withLock { _ = $0.insert(day.year) }
        }
        return GalleryDay(
            day: day, record: record, hasThumbnail: isSmall,
            hasRendition: renditions.contains(day), isFavorite: favorites.contains(day))
    }

    /// Whether all records of `year` that were needed so far could be read.
    func couldRead(_ year: Int) -> Bool { unreadable.withLock { !$0.contains(year) } }

    private func hasThumbnail(_ day: Day) throws(SystemError) -> Bool {
        do {
            return try store.tree.root.status(Layout.thumbnail(of: day))?.kind == .file
        } catch {
            guard error.isNotDirectory else { throw error }
            return false
        }
    }

    /// Builds the page of a year and its scripts; writes those that changed.
    func make(
        _ year: Int, _ inventory: YearInventory, edges: YearEdges
    ) throws(SystemError) -> BuiltYear {
        var page = YearPage(year, days: inventory.days, edges: edges)
        for (index, day) in inventory.days.enumerated() {
            let galleryDay = try galleryDay(of: day, thumbnails: inventory.thumbnails)
            page.add(galleryDay, at: index)
        }
        page.finish()
        var made = BuiltYear(year: year, cover: page.cover)
        for (path, bytes) in zip(Self.paths(of: year), page.files) {
            made.outcomes.append((path, try store.publishPage(bytes, at: path)))
        }
        return made
    }

    /// The files that depend on one year only, in the order of ``YearPage/files``.
    static func paths(of year: Int) -> [String] {
        ["\(year).html", "words/\(year).js", "days/\(year).js"].map { "\(PageFrame.folder)/\($0)" }
    }
}

struct BuiltYear: Sendable {
    let year: Int
    let cover: String?
    var outcomes: [(path: String, outcome: PageOutcome)] = []
}
