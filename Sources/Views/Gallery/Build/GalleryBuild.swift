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
    private var links: DayLinks
    /// What the files of years and months are made from, by the first of their paths.
    private var digests: [String: InputDigest] = [:]
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
        let lists = try years.map { year throws(SystemError) in
            LinkList(
                contents: try ifReadable(input.root.read(YearBuild.links(of: year.number))) ?? [])
        }
        links = DayLinks(lists, in: input.snapshot)
    }

    /// - Throws: ``SystemError``, also if days cannot be listed: they are not missing, and the pages stay.
    mutating func run() async throws {
        if let error = input.snapshot.obstacle(from: .first) { throw error }
        try await makeYearsAndMonths()
        try makeFavorites(
            FavoritesPages(collection: nil, days: favorites, collections: collections))
        for collection in collections {
            try makeFavorites(
                FavoritesPages(collection: collection, days: collection.days, collections: []))
        }
        try makeFrontPage()
        try makeScriptPagesAndAssets()
        try removeObsoletePages()
    }

    // MARK: Years and months

    /// Makes their pages, newest first, and those again that a day of an earlier year mentions: nearly all texts mention
    /// earlier days.
    private mutating func makeYearsAndMonths() async throws {
        try await withThrowingTaskGroup(of: [MadePage].self) { group in
            for index in Array(years.indices) + years.indices {
                try Task.checkCancellation()
                try await makeYear(at: index, in: &group)
            }
            for try await made in group { record(made) }
        }
    }

    /// Reads the days of a year once, for its page and for those of its months, while the pages of the year before are
    /// written.
    private mutating func makeYear(
        at index: Int, in group: inout ThrowingTaskGroup<[MadePage], any Error>
    ) async throws {
        let year = years[index]
        let build = YearBuild(
            year: year,
            neighbours: [index - 1, index + 1].filter(years.indices.contains).map {
                years[$0].number
            })
        let reader = DayReader(input: input, renditions: renditions, links: nil)
        let isDue = try isDue(build.paths, from: build.digest)
        var days = isDue ? try year.days.map(reader.galleryDay) : []
        let list = LinkList(days)
        if isDue { links.replace(year.number, by: list) }
        let months = try year.months.map { MonthBuild($0, links) }.filter { month in
            try self.isDue([month.path], from: month.digest)
        }
        if !isDue { days = try months.flatMap(\.month.days).map(reader.galleryDay) }
        while let made = try await group.next() { record(made) }
        if isDue {
            group.addTask { [days] in try build.make(days, list, reader) }
        }
        if !months.isEmpty {
            group.addTask { [days, links] in
                try reader.input.store.publish(months.map { $0.make(days, links, reader) })
            }
        }
    }

    /// Whether any of these files of the gallery is not made from what `digest` identifies.
    private mutating func isDue(_ paths: [String], from digest: InputDigest) throws -> Bool {
        wanted.formUnion(paths)
        guard digests.updateValue(digest, forKey: paths[0]) != digest else { return false }
        return try !paths.allSatisfy { try input.store.page(at: $0, isFrom: digest) }
    }

    // MARK: Pages across years

    private mutating func makeFavorites(_ pages: FavoritesPages) throws {
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
            try update("\(PageFrame.folder)/\(pages.name(index))", from: digest) { reader in
                try pages.page(index) { try reader.galleryDay(of: $0) }
            }
        }
    }

    private mutating func makeFrontPage() throws {
        var digest = InputDigest()
        for year in years { digest.add(year.digest) }
        let newest = input.newestDays.prefix(FrontPage.recent + 1)
        digest.add(newest)
        let (years, favorites) = (years, favorites)
        try update("index.html", from: digest) { reader in
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
        _ path: String, from digest: InputDigest, _ make: (DayReader) throws -> [UInt8]
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
