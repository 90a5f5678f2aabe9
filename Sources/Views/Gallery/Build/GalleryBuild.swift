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
    /// `nil` until the pages of the years are made.
    private var links: DayLinks?
    /// The pages that belong to the gallery now.
    private var wanted: Set<String> = []
    private(set) var outcome = ViewOutcome()

    /// The number of years or months built at once; a year needs about 1 MB of memory.
    private static let concurrentPages = 2
    /// The number of months that are published together, with about 3 MB of pages.
    private static let monthsTogether = 24

    init(_ input: ViewInput) {
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
        try await makeYears()
        try await makeMonths()
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

    private mutating func makeYears() async throws {
        let builds = years.enumerated().map { index, year in
            let neighbours = [index - 1, index + 1].filter(years.indices.contains).map {
                years[$0].number
            }
            var digest = year.digest
            for year in neighbours { digest.add(year) }
            return YearBuild(year: year, neighbours: neighbours, digest: digest)
        }
        wanted.formUnion(builds.flatMap(\.paths))
        let due = try builds.filter { build in
            try !build.paths.allSatisfy { try input.store.page(at: $0, isFrom: build.digest) }
        }
        try await make(due.map { build in { try build.make($0) } })
        links = try DayLinks(builds.map(\.links), input)
    }

    private mutating func makeMonths() async throws {
        let months = years.flatMap(\.months)
        var due: [MonthBuild] = []
        for (index, month) in months.enumerated() {
            let earlier = index + 1 < months.count ? months[index + 1].newest : nil
            let later = index > 0 ? months[index - 1].oldest : nil
            var digest = month.digest
            for day in [earlier, later] { digest.add(day?.number ?? 0) }
            for day in month.days { links?.add(day, to: &digest) }
            let build = MonthBuild(month: month, neighbours: (earlier, later), digest: digest)
            wanted.insert(build.path)
            if try !input.store.page(at: build.path, isFrom: digest) { due.append(build) }
        }
        let groups = stride(from: 0, to: due.count, by: Self.monthsTogether).map { start in
            Array(due[start...].prefix(Self.monthsTogether))
        }
        let store = input.store
        try await make(
            groups.map { group in
                { reader in try store.publish(group.map { try $0.make(reader.another) }) }
            })
    }

    /// Makes pages, a few at the same time.
    private mutating func make(
        _ due: [@Sendable (DayReader) throws -> [MadePage]]
    ) async throws {
        let (input, renditions, links) = (input, renditions, links)
        try await withThrowingTaskGroup(of: [MadePage].self) { group in
            for (index, build) in due.enumerated() {
                try Task.checkCancellation()
                if index >= Self.concurrentPages, let made = try await group.next() { record(made) }
                group.addTask {
                    try build(DayReader(input: input, renditions: renditions, links: links))
                }
            }
            for try await made in group { record(made) }
        }
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
            for day in days { links?.add(day, to: &digest) }
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
            record([try input.store.publish(NewPage(path: path, bytes: bytes, digest: nil))])
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
