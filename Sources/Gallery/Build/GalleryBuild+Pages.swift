internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

// The pages across years: favorites, front page and search.
extension GalleryBuild {
    mutating func makeFavorites() throws {
        try makeFavorites(
            FavoritesPages(collection: nil, days: favorites, collections: collections))
        for collection in collections {
            try makeFavorites(
                FavoritesPages(collection: collection, days: collection.days, collections: []))
        }
    }

    private mutating func makeFavorites(_ pages: FavoritesPages) throws {
        let builder = builder
        for index in 0..<pages.count {
            let days = pages.shownDays(on: index)
            let names = pages.collections.map { "\($0.name.debugDescription) \($0.days.count)" }
            try update(
                "\(PageFrame.folder)/\(pages.name(index))",
                from:
                    "\(index) of \(pages.count) \(days) \(names) \(builder.renditions(of: Set(days).contains))",
                Set(days.map(\.year)).sorted()
            ) {
                try pages.page(index) { try builder.galleryDay(of: $0) }
            }
        }
    }

    mutating func makeFrontPage() throws {
        let years = cache.years.sorted { $0.key > $1.key }
        let covers = years.map(\.value.cover)
        let newest = try newestDay()
        let build = self
        try update(
            "index.html",
            from:
                "\(newest.map { "\($0)" } ?? "") \(covers) \(favorites) \(builder.renditions { $0 == newest })",
            years.map(\.key)
        ) {
            FrontPage(
                days: try build.newestDays(upTo: newest ?? .last),
                favorites: try build.newestFavorites(),
                years: years.map { ($0.key, $0.value.fingerprint.count, $0.value.cover) }
            ).page
        }
    }

    /// The newest day that is not dated in the future.
    private func newestDay() throws(SystemError) -> Day? {
        let last = cache.years.values.compactMap(\.fingerprint.newest).max()
        guard let last, last.number > now / 86_400 + 1 else { return last }
        let dates = try store.plausibleDates(
            store.state(), [last], at: Date(timeIntervalSince1970: Double(now)))
        var days: [Day] = []
        for year in cache.years.keys.sorted(by: >) where days.count <= FrontPage.recent {
            days += try inventory(year).days.filter(dates.contains)
        }
        return dates.newest(of: days) ?? last
    }

    private func inventory(_ year: Int) throws(SystemError) -> YearInventory {
        if let known = inventories[year] { return known }
        return try YearInventory(year, in: root)
    }

    private func newestDays(upTo newest: Day) throws(SystemError) -> [GalleryDay] {
        var galleryDays: [GalleryDay] = []
        for year in cache.years.keys.sorted(by: >) where galleryDays.count <= FrontPage.recent {
            let inventory = try inventory(year)
            let days = inventory.days.drop { $0 > newest }
            for day in days.prefix(FrontPage.recent + 1 - galleryDays.count) {
                galleryDays.append(
                    try builder.galleryDay(of: day, thumbnails: inventory.thumbnails))
            }
        }
        return galleryDays
    }

    private func newestFavorites() throws(SystemError) -> [GalleryDay] {
        var galleryDays: [GalleryDay] = []
        for day in favorites where galleryDays.count < FrontPage.favorites {
            let galleryDay = try builder.galleryDay(of: day)
            if galleryDay.record != nil { galleryDays.append(galleryDay) }
        }
        return galleryDays
    }

    /// Builds the pages that scripts fill, and writes the assets.
    mutating func makeScriptPagesAndAssets() throws {
        let years = cache.years.keys.sorted(by: >)
        let pages = ScriptPages(years: years)
        for (name, bytes) in [
            "search": pages.search, "anyday": pages.anyDay, "slideshow": pages.slideshow,
        ] {
            try update("\(PageFrame.folder)/\(name).html", from: "\(years)") { bytes }
        }
        for (name, bytes) in Asset.all {
            try update("\(PageFrame.folder)/\(name)", from: "") { bytes }
        }
    }
}
