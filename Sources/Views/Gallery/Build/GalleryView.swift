internal import APOD
internal import Mirror
internal import Platform

/// The gallery: `index.html` in the root, and all other pages in `gallery/`.
struct GalleryView: View {
    static let title = "the gallery"

    /// No setting concerns this view.
    init(_: ViewSettings) {}

    func update(_ input: ViewInput) async throws -> ViewOutcome {
        var update = try GalleryUpdate(input)
        try await update.run()
        return update.outcome
    }
}

/// One update of the gallery: makes the pages whose inputs have changed, and removes the pages that are obsolete.
///
/// The inputs of a page are the records, favorites and links that it shows. The table of the view stores, for each page, an
/// ``InputDigest`` of the inputs from which it was made. If the present inputs have the same digest, no record of the page is
/// read.
private struct GalleryUpdate {
    private let input: ViewInput
    private let files: ViewFiles
    /// Collects the pages that are made, because publishing them together takes less time.
    private let batch: ViewBatch
    /// Newest first.
    private let years: [GalleryYear]
    /// Newest first.
    private let favorites: [Day]
    /// Sorted by name.
    private let collections: [FavoriteCollection]
    /// The paths of all files of the present gallery, made now or before; ``removeObsoletePages()`` removes all others.
    private var currentPaths: Set<String> = []
    /// Why records could not be read, by their days.
    private let recordErrors = SharedValue([Day: SystemError]())
    private(set) var outcome = ViewOutcome()

    init(_ input: ViewInput) throws(SystemError) {
        self.input = input
        files = input.files(of: .gallery)
        batch = try ViewBatch(of: files)
        favorites = input.favorites.sorted(by: >)
        collections = FavoriteCollection.all(input.collections, of: input.favorites)
        years = try GalleryYear.all(in: input)
    }

    /// Brings all pages up to date.
    ///
    /// If a month cannot be listed, its page stays as it is, other pages show it as before, and no page is removed. If a record
    /// cannot be read, the pages that have its day already stay as they are.
    ///
    /// - Throws: The error of the disk, if the newest day might be among those that cannot be listed: the front page would then
    ///   present an older day as the newest. Also the error of reading what earlier pages say of a month that cannot be listed.
    mutating func run() async throws {
        let newest = input.recordedDays.first ?? .first
        if let error = input.snapshot.errorsHidingDays(from: newest).first { throw error }
        let links = try await makeYears()
        try await makeMonths(linking: links)
        try makeFavorites(FavoritesPages(ofAll: favorites, in: collections), linking: links)
        for collection in collections {
            try makeFavorites(FavoritesPages(of: collection), linking: links)
        }
        try makePagesOfAllDays(linking: links)
        try makeScriptPagesAndAssets()
        reportUnreadableDays()
        outcome.add(try batch.publish(), in: input.root)
        let areAllListed = input.snapshot.errorsHidingDays(from: .first).isEmpty
        if areAllListed { try removeObsoletePages() }
    }

    private mutating func reportUnreadableDays() {
        outcome.addReadErrors(
            input.snapshot.errorsHidingDays(from: .first),
            consequence: "its pages stay as they are")
        let errorsOfRecords = recordErrors.withLock(\.self).sorted { $0.key > $1.key }
        outcome.addReadErrors(
            errorsOfRecords.map(\.value), consequence: "pages with its day stay as they are")
    }

    // MARK: Years and months

    /// Makes the files of each year with a changed day, and returns the links in the texts of all years.
    private mutating func makeYears() async throws -> DayLinks {
        let builds = years.indices.map { index in
            let neighbors = [index - 1, index + 1].filter(years.indices.contains)
            return YearBuild(year: years[index], neighbors: neighbors.map { years[$0].year })
        }
        for build in builds { currentPaths.formUnion(build.paths) }
        var lists: [LinkList] = []
        for build in builds {
            // A list that cannot be read is made again.
            let earlier = try? input.root.read(YearBuild.File.links.path(of: build.year.year))
            if let earlier, try areUpToDate(build.paths, from: build.digest) {
                lists.append(LinkList(contents: earlier))
            } else {
                let reader = DayReader(input, collecting: recordErrors)
                lists.append(try await build.make(reader, in: batch))
            }
        }
        return DayLinks(lists, between: years.flatMap(\.days))
    }

    /// Makes the page of each month that shows a changed day, or a link to or from a changed day.
    private mutating func makeMonths(linking links: DayLinks) async throws {
        let pages = years.flatMap(\.months).filter { !$0.isKept }
            .map { MonthPage($0, links: links) }
        currentPaths.formUnion(pages.map(\.path))
        let outdated = try pages.filter { try !areUpToDate([$0.path], from: $0.digest) }
        try await outdated.mapTwoAtATime { [input, recordErrors, batch] page in
            let reader = DayReader(input, linking: links, collecting: recordErrors)
            if let file = try page.file(from: reader) { try batch.add([file]) }
        }
    }

    /// Whether the files at `paths` were made from the inputs that `digest` identifies.
    private func areUpToDate(_ paths: [String], from digest: InputDigest) throws -> Bool {
        try paths.allSatisfy { try files.isCurrent($0, from: digest) }
    }

    // MARK: Pages across years

    /// Makes the pages of all favorites or of one collection.
    private mutating func makeFavorites(_ pages: FavoritesPages, linking links: DayLinks) throws {
        for page in pages.all {
            let digest = page.digest(in: input, links: links)
            try makePage(at: page.path, from: digest, linking: links) { reader in
                try page.html(from: reader)
            }
        }
    }

    /// Makes the index of objects and the front page.
    private mutating func makePagesOfAllDays(linking links: DayLinks) throws {
        // The index may link to any day.
        var digestOfDays = InputDigest()
        for year in years { digestOfDays.add(year.digest) }
        let objectsPath = "\(PageFrame.folder)/objects.html"
        try makePage(at: objectsPath, from: digestOfDays, linking: links) { _ in
            ObjectsPage(counts: links.objectCounts).page
        }
        var digestOfFrontPage = digestOfDays
        digestOfFrontPage.add(input.recordedDays.prefix(1 + FrontPage.recentDays))
        try makePage(at: "index.html", from: digestOfFrontPage, linking: links) {
            [input, favorites, years] reader in
            try FrontPage(of: input.recordedDays, favorites: favorites, years: years, from: reader)
                .page
        }
    }

    /// Makes the pages that scripts fill, and writes the assets.
    private mutating func makeScriptPagesAndAssets() throws {
        let scriptPages = ScriptPages(years: years.map(\.year))
        let pagesByName: [(name: String, bytes: [UInt8])] = [
            ("search.html", scriptPages.search), ("anyday.html", scriptPages.anyDay),
            ("slideshow.html", scriptPages.slideshow),
        ]
        let pages = pagesByName.map {
            ViewFiles.File(path: "\(PageFrame.folder)/\($0)", bytes: $1)
        }
        let assets = Asset.all.map { ViewFiles.File(path: "\(Asset.folder)/\($0)", bytes: $1) }
        currentPaths.formUnion((pages + assets).map(\.path))
        try batch.add(pages + assets)
    }

    /// Makes the page at `path`, unless it is up to date; `makeHTML` returns its HTML.
    private mutating func makePage(
        at path: String, from digest: InputDigest, linking links: DayLinks,
        makeHTML: (DayReader) throws -> [UInt8]
    ) throws {
        currentPaths.insert(path)
        guard try !areUpToDate([path], from: digest) else { return }
        try Task.checkCancellation()
        let reader = DayReader(input, linking: links, collecting: recordErrors)
        let html = try makeHTML(reader)
        if let file = reader.fileToPublish(html, at: path, from: digest) { try batch.add([file]) }
    }

    /// Removes pages of earlier updates, such as the page of a year that has lost all its days, but no file of a user.
    private mutating func removeObsoletePages() throws(SystemError) {
        for folder in YearBuild.File.allCases.map(\.folder) + [Asset.folder] {
            let names: [String]
            do throws(SystemError) {
                names = try input.root.textNames(in: folder)
            } catch {
                outcome.addReadErrors([error], consequence: "its obsolete pages stay")
                continue
            }
            let obsolete = names.map { "\(folder)/\($0)" }.filter { !currentPaths.contains($0) }
            outcome.addWithoutObstructions(try files.remove(obsolete))
        }
    }
}
