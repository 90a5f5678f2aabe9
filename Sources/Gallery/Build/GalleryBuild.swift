internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// One look at the tree, after which the pages are true to it.
struct GalleryBuild {
    private let curator: PageBuilder
    private let favorites: [Day]
    private let collections: [FavoriteCollection]
    private let look: Gallery.Look
    private let now = Int(Date().timeIntervalSince1970)
    /// Of years that were looked at closely in this pass.
    private var inventories: [Int: YearInventory] = [:]
    private var wanted: Set<String> = []

    private(set) var memory: BuildCache
    private(set) var written: [String] = []
    /// What has the place of a page; all others are made.
    private(set) var problem: SystemError?

    /// Years under way at once: each takes about 2 MB while it is.
    private static let width = 2

    init(
        store: Store, favorites: Set<Day>, collections: [FavoriteCollection], look: Gallery.Look,
        memory: BuildCache
    ) {
        self.collections = collections
        curator = PageBuilder(store: store, favorites: favorites)
        self.favorites = favorites.sorted(by: >)
        self.look = look
        self.memory = memory
    }

    private var store: Store { curator.store }
    private var root: Directory { curator.store.tree.root }

    mutating func run() async throws {
        try lookAtYears()
        try await makeYears()
        try makeFavorites()
        try makeFrontPage()
        try makeRest()
        try removeOthers()
    }

    // MARK: Years

    private mutating func lookAtYears() throws(SystemError) {
        var years: Set<Int> = []
        for name in try root.folder(Layout.metadata)?.textNames() ?? [] {
            guard let year = Int(name), name.utf8.count == 4, try hasDays(year) else { continue }
            years.insert(year)
        }
        memory.years = memory.years.filter { years.contains($0.key) }
    }

    /// Looks at a year, as closely as it takes.
    private mutating func hasDays(_ year: Int) throws(SystemError) -> Bool {
        if look == .folders, let known = memory.years[year],
            try YearFolders(year, in: root).digest == known.fingerprint.folders.digest
        {
            return true
        }
        let inventory = try YearInventory(year, in: root)
        guard !inventory.days.isEmpty else { return false }
        inventories[year] = inventory
        memory.years[
            year, default: .init(fingerprint: inventory.fingerprint, summary: .init(count: 0))
        ]
        .fingerprint = inventory.fingerprint
        return true
    }

    private mutating func makeYears() async throws {
        let edges = self.edges
        let due = memory.years.keys.sorted(by: >).filter { year in
            let stamp = stamp(of: year, edges[year])
            return !PageBuilder.paths(of: year).allSatisfy { isTrue($0, to: stamp) }
        }
        for year in memory.years.keys { wanted.formUnion(PageBuilder.paths(of: year)) }
        for year in due where inventories[year] == nil {
            inventories[year] = try YearInventory(year, in: root)
        }
        let (curator, inventories) = (curator, inventories)
        try await withThrowingTaskGroup(of: MadeYear.self) { group in
            for (index, year) in due.enumerated() {
                guard let inventory = inventories[year] else { continue }
                try Task.checkCancellation()
                if index >= Self.width, let made = try await group.next() { note(made, edges) }
                group.addTask {
                    try curator.make(year, inventory, edges: edges[year] ?? YearEdges())
                }
            }
            for try await made in group { note(made, edges) }
        }
    }

    private mutating func note(_ made: MadeYear, _ edges: [Int: YearEdges]) {
        memory.years[made.year] = .init(fingerprint: made.fingerprint, summary: made.summary)
        let stamp = made.isDoubtful ? "" : stamp(of: made.year, edges[made.year])
        for path in PageBuilder.paths(of: made.year) {
            if let error = made.failed[path] {
                note(path, error)
            } else {
                note(path, stamp, isNew: made.written.contains(path))
            }
        }
    }

    /// The days next to each year.
    private var edges: [Int: YearEdges] {
        let years = memory.years.keys.sorted()
        var edges: [Int: YearEdges] = [:]
        for (earlier, later) in zip(years, years.dropFirst()) {
            edges[earlier, default: .init()].later = memory.years[later]?.fingerprint.oldest
            edges[later, default: .init()].earlier = memory.years[earlier]?.fingerprint.newest
        }
        return edges
    }

    private func stamp(of year: Int, _ edges: YearEdges?) -> String {
        stamp("\(edges ?? YearEdges()) \(favorites.filter { $0.year == year })", [year])
    }

    // MARK: The pages across years

    private mutating func makeFavorites() throws {
        try makeFavorites(FavoritesPages(days: favorites, collections: collections))
        for collection in collections { try makeFavorites(FavoritesPages(collection)) }
    }

    private mutating func makeFavorites(_ pages: FavoritesPages) throws {
        let curator = curator
        for index in 0..<pages.count {
            let days = pages.shown(on: index)
            let names = pages.collections.map { "\($0.name.debugDescription) \($0.days.count)" }
            let stamp = stamp(
                "\(index) of \(pages.count) \(days) \(names)", Set(days.map(\.year)).sorted())
            try keep("\(PageFrame.folder)/\(pages.name(index))", from: stamp) { doubts in
                try pages.page(index) { day in
                    let exhibit = try curator.exhibit(of: day)
                    doubts.note(exhibit)
                    return exhibit
                }
            }
        }
    }

    private mutating func makeFrontPage() throws {
        let years = memory.years.sorted { $0.key > $1.key }
        let summaries = years.map { (year: $0.key, summary: $0.value.summary) }
        let newest = try newestDay()
        let rendition = newest.map { Rendition.path(of: $0) }
            .flatMap { path in trace(path).map { (path, $0) } }
        let stamp = stamp(
            "\(newest.map { "\($0)" } ?? "") \(summaries) \(favorites) \(rendition?.1 ?? "")",
            years.map(\.key))
        let pass = self
        try keep("index.html", from: stamp) { doubts in
            let page = FrontPage(
                days: try pass.newestDays(upTo: newest ?? .last), rendition: rendition?.0,
                favorites: try pass.newestFavorites(),
                years: summaries)
            (page.days + page.favorites).forEach(doubts.note)
            return page.page
        }
    }

    /// The newest day that is not dated in the future.
    private func newestDay() throws(SystemError) -> Day? {
        let last = memory.years.values.compactMap(\.fingerprint.newest).max()
        guard let last, last.number > now / 86_400 + 1 else { return last }
        let dates = try store.plausibleDates(
            store.state(), [last], at: Date(timeIntervalSince1970: Double(now)))
        var days: [Day] = []
        for year in memory.years.keys.sorted(by: >) where days.count <= FrontPage.recent {
            days += try inventory(year).days.filter(dates.contains)
        }
        return dates.newest(of: days) ?? last
    }

    private func inventory(_ year: Int) throws(SystemError) -> YearInventory {
        if let known = inventories[year] { return known }
        return try YearInventory(year, in: root)
    }

    private func newestDays(upTo newest: Day) throws(SystemError) -> [GalleryDay] {
        var exhibits: [GalleryDay] = []
        for year in memory.years.keys.sorted(by: >) where exhibits.count <= FrontPage.recent {
            let inventory = try inventory(year)
            let days = inventory.days.drop { $0 > newest }
            for day in days.prefix(FrontPage.recent + 1 - exhibits.count) {
                exhibits.append(try curator.exhibit(of: day, thumbnails: inventory.thumbnails))
            }
        }
        return exhibits
    }

    private func newestFavorites() throws(SystemError) -> [GalleryDay] {
        var exhibits: [GalleryDay] = []
        for day in favorites where exhibits.count < FrontPage.favorites {
            let exhibit = try curator.exhibit(of: day)
            if exhibit.record != nil { exhibits.append(exhibit) }
        }
        return exhibits
    }

    /// The page of the search, and what the pages look like and do.
    private mutating func makeRest() throws {
        let years = memory.years.keys.sorted(by: >)
        try keep("\(PageFrame.folder)/search.html", from: "\(years)") { _ in
            SearchPage(years: years).page
        }
        for (name, bytes) in Asset.all {
            try keep("\(PageFrame.folder)/\(name)", from: memory.program) { _ in bytes }
        }
    }

    // MARK: One page

    /// Makes sure of one page, which is made only where what it is made from has changed.
    ///
    /// - Parameters:
    ///   - path: Relative to the root.
    ///   - stamp: Tells what it is made from.
    ///   - make: Makes it.
    /// - Throws: What stands in the way of all pages; what stands in the way of this one is a ``problem``.
    private mutating func keep(
        _ path: String, from stamp: String, _ make: (Doubts) throws -> [UInt8]
    ) throws {
        wanted.insert(path)
        guard !isTrue(path, to: stamp) else { return }
        try Task.checkCancellation()
        let doubts = Doubts()
        let bytes = try make(doubts)
        do {
            let isNew = try store.publish(bytes, at: path)
            note(path, doubts.areThere ? "" : stamp, isNew: isNew)
        } catch  where error.isInTheWay {
            note(path, error)
        }
    }

    private func isTrue(_ path: String, to stamp: String) -> Bool {
        guard !stamp.isEmpty, let known = memory.pages[path] else { return false }
        return known.stamp == stamp && known.trace == trace(path)
    }

    private mutating func note(_ path: String, _ error: SystemError) {
        if problem == nil { problem = error }
        memory.pages[path] = nil
    }

    private mutating func note(_ path: String, _ stamp: String, isNew: Bool) {
        if isNew { written.append(path) }
        memory.pages[path] = .init(stamp: stamp, trace: trace(path) ?? "")
    }

    /// What tells the file at `path` from others, `nil` where there is none.
    private func trace(_ path: String) -> String? {
        guard let status = try? root.status(path), status.kind == .file else { return nil }
        return "\(status.identity.inode) \(status.size) \(status.modified)"
    }

    /// Tells what a page is made from: `text`, and all that lies in `years`.
    ///
    /// - Returns: The stamp, empty where a change may have gone unseen.
    private func stamp(_ text: String, _ years: [Int]) -> String {
        var hash = SHA256()
        hash.update(Array(text.utf8))
        for year in years {
            guard let fingerprint = memory.years[year]?.fingerprint else { continue }
            guard fingerprint.isSettled(at: now) else { return "" }
            hash.update(Array("\(year) \(fingerprint.folders.digest) \(fingerprint.files)\n".utf8))
        }
        return String(hash.hexDigest().prefix(16))
    }

    /// Removes pages that were made once and are not any more, such as that of a year without days.
    ///
    /// Somebody else's file with such a name stays.
    private mutating func removeOthers() throws(SystemError) {
        for (path, page) in memory.pages where !wanted.contains(path) {
            memory.pages[path] = nil
            let (folder, name) = Layout.split(path)
            guard folder.hasPrefix(PageFrame.folder), trace(path) == page.trace,
                let folder = try root.folder(folder)
            else { continue }
            try folder.remove(name)
            written.append(path)
        }
    }
}

/// Whether a page shows a day whose record may be readable the next time.
private final class Doubts {
    private(set) var areThere = false

    func note(_ exhibit: GalleryDay) {
        if exhibit.isDoubtful { areThere = true }
    }
}
