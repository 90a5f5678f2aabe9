internal import APOD
internal import Mirror
internal import Platform

/// The gallery: `index.html` in the root, and all other pages in `gallery/`.
struct GalleryView: View {
    static let title = "the gallery"

    /// There are no settings for it.
    init(_: ViewSettings) {}

    func update(_ input: ViewInput) async throws -> ViewOutcome {
        var build = try GalleryBuild(input)
        try await build.run()
        return build.outcome
    }
}

/// One update of the gallery, which makes the pages whose inputs have changed, and removes obsolete pages.
///
/// The table of the view has an ``InputDigest`` of the inputs of each page. A page with the same inputs as now is up to date,
/// and none of its records is read.
struct GalleryBuild {
    private let input: ViewInput
    private let files: ViewFiles
    /// The pages that are made, which are published together.
    private let batch: ViewBatch
    // Both are newest first.
    private let years: [GalleryYear]
    private let favorites: [Day]
    private let collections: [FavoriteCollection]
    /// The paths of the files that belong to the gallery now; ``removeObsoletePages()`` removes all others.
    private var wanted: Set<String> = []
    private(set) var outcome = ViewOutcome()

    init(_ input: ViewInput) throws(SystemError) {
        self.input = input
        files = input.files(of: .gallery)
        batch = try ViewBatch(of: files)
        favorites = input.favorites.sorted(by: >)
        collections = FavoriteCollection.all(input.collections, of: input.favorites)
        years = GalleryYear.all(in: input)
    }

    /// Brings all pages up to date.
    ///
    /// If days cannot be listed, the pages of their years and of favorites stay as they are, and no page is removed.
    ///
    /// - Throws: Also if these days may be the newest, because an older day would pass for the newest one.
    mutating func run() async throws {
        let newest = input.recordedDays.first ?? .first
        if let error = input.snapshot.readError(from: newest) { throw error }
        outcome.addHiddenDays(of: input.snapshot, from: .first)
        let hidesDays = input.snapshot.readError(from: .first) != nil
        let links = try await makeYears()
        try await makeMonths(links)
        if !hidesDays { try makeAllFavorites(links) }
        try makePagesOfAllDays(links)
        try makeScriptPagesAndAssets()
        outcome.add(try batch.publish(), in: input.root)
        if !hidesDays { try removeObsoletePages() }
    }

    private mutating func makeAllFavorites(_ links: DayLinks) throws {
        try makeFavorites(
            FavoritesPages(collection: nil, days: favorites, collections: collections), links)
        for collection in collections {
            try makeFavorites(
                FavoritesPages(collection: collection, days: collection.days, collections: []),
                links)
        }
    }

    // MARK: Years and months

    /// Makes the files of each year with a changed day, and returns the links in the texts of all years.
    private mutating func makeYears() async throws -> DayLinks {
        let builds = years.indices.map { index in
            let neighbors = [index - 1, index + 1].filter(years.indices.contains)
            return YearBuild(year: years[index], neighbors: neighbors.map { years[$0].year })
        }
        for build in builds { wanted.formUnion(build.paths) }
        var lists: [LinkList] = []
        for build in builds {
            // A list that cannot be read is made again.
            let earlier = try? input.root.read(YearBuild.File.links.path(of: build.year.year))
            let isHidden = input.snapshot.hidesDays(ofYear: build.year.year)
            if let earlier, try isHidden || isUpToDate(build.paths, from: build.digest) {
                lists.append(LinkList(contents: earlier))
            } else if !isHidden {
                lists.append(try await build.make(DayReader(input: input), in: batch))
            }
        }
        return DayLinks(lists, in: input.snapshot)
    }

    /// Makes the page of each month that shows a changed day, or a link to or from one.
    private mutating func makeMonths(_ links: DayLinks) async throws {
        let pages = years.filter { !input.snapshot.hidesDays(ofYear: $0.year) }
            .flatMap { year in year.months.map { MonthPage($0, links) } }
        wanted.formUnion(pages.map(\.path))
        let due = try pages.filter { try !isUpToDate([$0.path], from: $0.digest) }
        _ = try await due.madeConcurrently { [input, batch] page in
            try batch.add([page.page(DayReader(input: input, links: links))])
        }
    }

    /// Whether all these files are made from the inputs that `digest` identifies.
    private func isUpToDate(_ paths: [String], from digest: InputDigest) throws -> Bool {
        try paths.allSatisfy { try files.isCurrent($0, from: digest) }
    }

    // MARK: Pages across years

    /// Makes the pages of all favorites or of one collection.
    private mutating func makeFavorites(_ pages: FavoritesPages, _ links: DayLinks) throws {
        for index in 0..<pages.count {
            let path = "\(PageFrame.folder)/\(pages.name(index))"
            let digest = pages.digest(of: index, in: input, links)
            try makePage(path, from: digest, links) { try pages.page(at: index, from: $0) }
        }
    }

    /// Makes the front page and the index of objects.
    private mutating func makePagesOfAllDays(_ links: DayLinks) throws {
        var digest = InputDigest()
        // The digest of all days, because the pages may link to any of them.
        for year in years { digest.add(year.digest) }
        try makePage("\(PageFrame.folder)/objects.html", from: digest, links) { _ in
            ObjectsPage(counts: links.objectCounts).page
        }
        digest.add(input.recordedDays.prefix(1 + FrontPage.recentDays))
        let (days, years, favorites) = (input.recordedDays, years, favorites)
        try makePage("index.html", from: digest, links) { reader in
            try FrontPage(of: days, favorites: favorites, years: years, from: reader).page
        }
    }

    /// Makes the pages that scripts fill, and writes the assets.
    private mutating func makeScriptPagesAndAssets() throws {
        let pages = ScriptPages(years: years.map(\.year))
        let pagesByName: [(name: String, bytes: [UInt8])] = [
            ("search.html", pages.search), ("anyday.html", pages.anyDay),
            ("slideshow.html", pages.slideshow),
        ]
        let all =
            pagesByName.map { ViewFiles.File(path: "\(PageFrame.folder)/\($0)", bytes: $1) }
            + Asset.all.map { ViewFiles.File(path: "\(Asset.folder)/\($0)", bytes: $1) }
        wanted.formUnion(all.map(\.path))
        try batch.add(all)
    }

    // MARK: One page

    /// Makes the page at `path`, unless it is up to date.
    private mutating func makePage(
        _ path: String, from digest: InputDigest, _ links: DayLinks,
        _ make: (DayReader) throws -> [UInt8]
    ) throws {
        wanted.insert(path)
        guard try !isUpToDate([path], from: digest) else { return }
        try Task.checkCancellation()
        let reader = DayReader(input: input, links: links)
        try batch.add([reader.page(try make(reader), at: path, from: digest)])
    }

    /// Removes pages of earlier updates, such as the page of a year without days, but no file of a user.
    private mutating func removeObsoletePages() throws(SystemError) {
        for folder in YearBuild.File.allCases.map(\.folder) + [Asset.folder] {
            let names: [String]
            do throws(SystemError) {
                names = try input.root.textNames(in: folder)
            } catch {
                outcome.addUnreadable([error], "its obsolete pages stay")
                continue
            }
            let obsolete = names.map { "\(folder)/\($0)" }.filter { !wanted.contains($0) }
            outcome.addChanges(try files.remove(obsolete))
        }
    }
}

extension Array where Element: Sendable {
    /// What `make` returns for each element, in their order.
    ///
    /// Two calls run at a time, because each has the texts of a month in memory.
    func madeConcurrently<Made: Sendable>(
        _ make: @escaping @Sendable (Element) throws -> Made
    ) async throws -> [Made] {
        try await withThrowingTaskGroup(of: (Int, Made).self) { group in
            var made: [(index: Int, Made)] = []
            for (index, element) in enumerated() {
                if index >= 2, let next = try await group.next() { made.append(next) }
                group.addTask {
                    try Task.checkCancellation()
                    return (index, try make(element))
                }
            }
            for try await next in group { made.append(next) }
            return made.sorted { $0.index < $1.index }.map(\.1)
        }
    }
}
