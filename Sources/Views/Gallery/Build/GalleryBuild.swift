internal import APOD
internal import Mirror
internal import Platform

/// One update of the gallery: makes the pages again whose inputs have changed.
struct GalleryBuild {
    private let input: ViewInput
    /// Newest first.
    private let years: [GalleryYear]
    /// Newest first.
    private let favorites: [Day]
    private let collections: [FavoriteCollection]
    /// The days with a ``Rendition``.
    private let renditions: Set<Day>
    /// The pages that belong to the gallery now.
    private var wanted: Set<String> = []
    private(set) var outcome = ViewOutcome()

    init(_ input: ViewInput) throws(SystemError) {
        self.input = input
        favorites = input.favorites.sorted(by: >)
        collections = FavoriteCollection.all(input.collections, of: input.favorites)
        // Without them the pages show the originals.
        let names = (try? input.root.folder(Rendition.folder)?.textNames()) ?? []
        renditions = Set(
            names.compactMap { FileName.day(of: $0) }.filter {
                names.contains(Layout.split(Rendition.path(of: $0)).name)
            })
        years = GalleryYear.all(in: input, renditions: renditions)
    }

    /// - Throws: ``SystemError``, also if days cannot be listed: they are not missing, and the pages stay.
    mutating func run() async throws {
        if let error = input.snapshot.obstacle(from: .first) { throw error }
        let links = try await makeYears()
        try await makeMonths(links)
        try makeFavorites(
            FavoritesPages(collection: nil, days: favorites, collections: collections), links)
        for collection in collections {
            try makeFavorites(
                FavoritesPages(collection: collection, days: collection.days, collections: []),
                links)
        }
        try makeFrontPage(links)
        try makeScriptPagesAndAssets()
        try removeObsoletePages()
    }

    // MARK: Years and months

    /// Makes the files of each year with a changed day; returns the links in the texts of all years.
    private mutating func makeYears() async throws -> DayLinks {
        let builds = years.indices.map { index in
            let neighbours = [index - 1, index + 1].filter(years.indices.contains)
            return YearBuild(year: years[index], neighbours: neighbours.map { years[$0].number })
        }
        let due = try builds.filter { try isDue($0.paths, from: $0.digest) }
        let made = try await due.madeConcurrently { [input, renditions] in
            try $0.make(DayReader(input: input, renditions: renditions))
        }
        for year in made { record(year.pages) }
        let new = Dictionary(uniqueKeysWithValues: made.map { ($0.year, $0.links) })
        let lists = try years.map { year in
            try new[year.number]
                ?? LinkList(
                    contents: try ifReadable(input.root.read(YearBuild.links(of: year.number))))
        }
        return DayLinks(lists, in: input.snapshot)
    }

    /// Makes the page of each month that shows a changed day, or a link to or from one.
    private mutating func makeMonths(_ links: DayLinks) async throws {
        let builds = try years.map { year in
            try year.months.map { MonthBuild(month: $0, links) }.filter { month in
                try isDue([month.path], from: month.digest)
            }
        }
        for pages in try await builds.madeConcurrently({ [input, renditions] months in
            let pages = try months.map { month in
                try month.make(DayReader(input: input, renditions: renditions, links: links))
            }
            return try input.store.publish(pages)
        }) {
            record(pages)
        }
    }

    /// Whether any of these files of the gallery is not made from what `digest` identifies.
    private mutating func isDue(_ paths: [String], from digest: InputDigest) throws -> Bool {
        wanted.formUnion(paths)
        return try !paths.allSatisfy { try input.store.page(at: $0, isFrom: digest) }
    }

    // MARK: Pages across years

    private mutating func makeFavorites(
        _ pages: FavoritesPages, _ links: DayLinks
    ) throws {
        for index in 0..<pages.count {
            var digest = InputDigest()
            digest.add(index)
            digest.add(pages.count)
            let days = pages.shownDays(on: index)
            for files in days.compactMap({ input.snapshot[$0] }) { digest.add(files) }
            digest.add(days)
            digest.add(pages.neighbours(of: index))
            digest.add(days.filter(renditions.contains))
            for day in days { links.add(day, to: &digest) }
            for collection in pages.collections {
                digest.add(collection.name)
                digest.add(collection.days.count)
            }
            try update("\(PageFrame.folder)/\(pages.name(index))", from: digest, links) { reader in
                try pages.page(index) { try reader.galleryDay(of: $0) }
            }
        }
    }

    private mutating func makeFrontPage(_ links: DayLinks) throws {
        var digest = InputDigest()
        for year in years { digest.add(year.digest) }
        let newest = input.newestDays.prefix(FrontPage.recent + 1)
        digest.add(newest)
        let (years, favorites) = (years, favorites)
        try update("index.html", from: digest, links) { reader in
            var shownFavorites: [GalleryDay] = []
            for day in favorites where shownFavorites.count < FrontPage.favorites {
                let galleryDay = try reader.galleryDay(of: day)
                if galleryDay.record != nil { shownFavorites.append(galleryDay) }
            }
            return FrontPage(
                days: try newest.map { try reader.galleryDay(of: $0) },
                favorites: shownFavorites,
                years: try years.map {
                    ($0.number, $0.days.count, try reader.cover(of: $0.days))
                }
            ).page
        }
    }

    /// Makes the pages that scripts fill, and writes the assets.
    private mutating func makeScriptPagesAndAssets() throws {
        let pages = ScriptPages(years: years.map(\.number))
        let files: [(name: String, bytes: [UInt8])] = [
            ("search.html", pages.search), ("anyday.html", pages.anyDay),
            ("slideshow.html", pages.slideshow),
        ]
        for (name, bytes) in files + Asset.all {
            let path = "\(PageFrame.folder)/\(name)"
            wanted.insert(path)
            record([try input.store.publish(NewPage(path: path, bytes: bytes))])
        }
    }

    // MARK: One page

    /// Makes the page at `path`, unless it was made from the same.
    ///
    /// - Throws: An error that affects all pages.
    private mutating func update(
        _ path: String, from digest: InputDigest, _ links: DayLinks,
        _ make: (DayReader) throws -> [UInt8]
    ) throws {
        wanted.insert(path)
        guard try !input.store.page(at: path, isFrom: digest) else { return }
        try Task.checkCancellation()
        let reader = DayReader(input: input, renditions: renditions, links: links)
        let bytes = try make(reader)
        record([try input.store.publish(reader.page(bytes, at: path, from: digest))])
    }

    private mutating func record(_ pages: [MadePage]) {
        for (path, page) in pages {
            switch page {
            case .written: outcome.written.append(path)
            case .unchanged: break
            case .obstructed(let obstacle): outcome.addObstruction(by: obstacle, in: input.root)
            }
        }
    }

    /// Removes pages of earlier updates, such as that of a year without days.
    ///
    /// A file that another program wrote in the place of a page stays.
    private mutating func removeObsoletePages() throws(SystemError) {
        for path in [PageFrame.folder] + YearBuild.folders {
            guard let folder = try ifReadable(input.root.folder(path)) else { continue }
            for name in try folder.textNames()
            where !wanted.contains("\(path)/\(name)") {
                guard try folder.isPage(name) else { continue }
                try folder.remove(name)
                outcome.written.append("\(path)/\(name)")
            }
        }
    }
}

extension Array where Element: Sendable {
    /// What `make` returns for each element, in any order.
    ///
    /// Two run at a time, because each has the texts of a year in memory.
    fileprivate func madeConcurrently<Made: Sendable>(
        _ make: @escaping @Sendable (Element) throws -> Made
    ) async throws -> [Made] {
        try await withThrowingTaskGroup(of: Made.self) { group in
            var made: [Made] = []
            for (index, element) in enumerated() {
                if index >= 2, let next = try await group.next() { made.append(next) }
                group.addTask {
                    try Task.checkCancellation()
                    return try make(element)
                }
            }
            for try await next in group { made.append(next) }
            return made
        }
    }
}
