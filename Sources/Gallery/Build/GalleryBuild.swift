internal import APOD
internal import FoundationEssentials
internal import Glibc
internal import Mirror
internal import Platform

/// One build of the gallery: scans the tree and builds the pages whose inputs have changed.
struct GalleryBuild {
    let builder: YearPageBuilder
    let favorites: [Day]
    let collections: [FavoriteCollection]
    private let depth: Gallery.ScanDepth
    let now = Int(Date().timeIntervalSince1970)
    /// The years whose files were scanned in this build.
    private(set) var inventories: [Int: YearInventory] = [:]
    private var wanted: Set<String> = []

    private(set) var cache: BuildCache
    private(set) var outcome = Gallery.Outcome()

    /// The number of years built at once; each needs about 2 MB of memory.
    private static let concurrentYears = 2

    init(
        store: Store, favorites: Set<Day>, collections: [FavoriteCollection],
        depth: Gallery.ScanDepth, cache: BuildCache
    ) {
        self.collections = collections
        builder = YearPageBuilder(store: store, favorites: favorites)
        self.favorites = favorites.sorted(by: >)
        self.depth = depth
        self.cache = cache
    }

    var store: Store { builder.store }
    var root: Directory { builder.store.tree.root }

    mutating func run() async throws {
        try scanYears()
        try await makeYears()
        try makeFavorites()
        try makeFrontPage()
        try makeScriptPagesAndAssets()
        try removeObsoletePages()
    }

    // MARK: Years

    private mutating func scanYears() throws(SystemError) {
        var years: Set<Int> = []
        for name in try root.folder(Layout.metadata)?.textNames() ?? [] {
            guard let year = Int(name), name.utf8.count == 4, try scanYear(year) else { continue }
            years.insert(year)
        }
        cache.years = cache.years.filter { years.contains($0.key) }
    }

    /// Scans a year as thoroughly as necessary; returns whether it has days.
    private mutating func scanYear(_ year: Int) throws(SystemError) -> Bool {
        if depth == .folders, let known = cache.years[year],
            try YearFolders(year, in: root).digest == known.fingerprint.folders
        {
            return true
        }
        return try readYear(year)
    }

    /// Scans the files of a year; returns whether it has days.
    @discardableResult
    private mutating func readYear(_ year: Int) throws(SystemError) -> Bool {
        let inventory = try YearInventory(year, in: root)
        guard !inventory.days.isEmpty else { return false }
        inventories[year] = inventory
        cache.years[year, default: .init()].fingerprint = inventory.fingerprint
        return true
    }

    private mutating func makeYears() async throws {
        let edges = self.edges
        let due = cache.years.keys.sorted(by: >).filter { year in
            let inputSignature = inputSignature(of: year, edges[year])
            return !YearPageBuilder.paths(of: year).allSatisfy { isCurrent($0, to: inputSignature) }
        }
        for year in cache.years.keys { wanted.formUnion(YearPageBuilder.paths(of: year)) }
        for year in due where inventories[year] == nil { try readYear(year) }
        let (builder, inventories) = (builder, inventories)
        try await withThrowingTaskGroup(of: BuiltYear.self) { group in
            for (index, year) in due.enumerated() {
                guard let inventory = inventories[year] else { continue }
                try Task.checkCancellation()
                if index >= Self.concurrentYears, let made = try await group.next() {
                    record(made, edges)
                }
                group.addTask {
                    try builder.make(year, inventory, edges: edges[year] ?? YearEdges())
                }
            }
            for try await made in group { record(made, edges) }
        }
    }

    private mutating func record(_ made: BuiltYear, _ edges: [Int: YearEdges]) {
        cache.years[made.year]?.cover = made.cover
        let inputSignature = inputSignature(of: made.year, edges[made.year])
        for (path, outcome) in made.outcomes { record(outcome, path, inputSignature) }
    }

    /// The days next to each year.
    private var edges: [Int: YearEdges] {
        let years = cache.years.keys.sorted()
        var edges: [Int: YearEdges] = [:]
        for (earlier, later) in zip(years, years.dropFirst()) {
            edges[earlier, default: .init()].later = cache.years[later]?.fingerprint.oldest
            edges[later, default: .init()].earlier = cache.years[earlier]?.fingerprint.newest
        }
        return edges
    }

    private func inputSignature(of year: Int, _ edges: YearEdges?) -> String {
        inputSignature(
            "\(edges ?? YearEdges()) \(favorites.filter { $0.year == year }) \(builder.renditions { $0.year == year })",
            [year])
    }

    // MARK: One page

    /// Builds one page if its inputs have changed: `text` and the files of `years`.
    ///
    /// - Throws: An error that affects all pages.
    mutating func update(
        _ path: String, from text: String, _ years: [Int] = [],
        _ make: () throws -> [UInt8]
    ) throws {
        wanted.insert(path)
        guard !isCurrent(path, to: inputSignature(text, years)) else { return }
        try Task.checkCancellation()
        let published = try store.publishPage(make(), at: path)
        record(published, path, inputSignature(text, years))
    }

    private func isCurrent(_ path: String, to inputSignature: String) -> Bool {
        let signature = signature(of: path, inputSignature)
        return !signature.isEmpty && cache.pages[path] == signature
    }

    private mutating func record(
        _ published: PageOutcome, _ path: String, _ inputSignature: String
    ) {
        switch published {
        case .obstructed(let obstacle):
            cache.pages[path] = nil
            let problem = DerivedFile.obstruction(by: "\(root.path)/\(obstacle)")
            // A directory is in the way of several pages.
            if !outcome.problems.contains(problem) { outcome.problems.append(problem) }
            return
        case .written: outcome.written.append(path)
        case .unchanged: break
        }
        cache.pages[path] = signature(of: path, inputSignature)
    }

    /// Identifies the inputs of the page at `path` and its file; empty if it does not exist, or without
    /// `inputSignature`.
    private func signature(of path: String, _ inputSignature: String) -> String {
        guard !inputSignature.isEmpty, let status = try? root.status(path), status.kind == .file
        else { return "" }
        return "\(inputSignature) \(status.signature)"
    }

    /// Identifies the file of this program: another one may build other pages from the same inputs.
    private static let program: String = {
        let path = "/proc/self/exe"
        let status = try? FileDescriptor(opening: path, O_RDONLY).status(path: path)
        return status?.signature ?? ""
    }()

    /// Identifies the inputs of a page: `text` and the files of `years`; empty if a change may be undetected, or if
    /// a record could not be read, so that the next build tries again.
    private func inputSignature(_ text: String, _ years: [Int]) -> String {
        var inputs = "\(Self.program) \(text)"
        for year in years {
            guard let fingerprint = cache.years[year]?.fingerprint else { continue }
            guard fingerprint.isFinal(at: now), builder.couldRead(year) else { return "" }
            inputs += "\(year) \(fingerprint.folders) \(fingerprint.files)\n"
        }
        return SHA256.digits(16, of: Array(inputs.utf8))
    }

    /// Removes pages of earlier builds that are obsolete, such as that of a year without days.
    ///
    /// A file that another program wrote in the place of a page stays.
    private mutating func removeObsoletePages() throws(SystemError) {
        for path in cache.pages.keys where !wanted.contains(path) {
            cache.pages[path] = nil
            let (folder, name) = Layout.split(path)
            guard folder.hasPrefix(PageFrame.folder),
                let folder = try ifReadable(root.folder(folder)),
                try folder.isPage(name)
            else { continue }
            try folder.remove(name)
            outcome.written.append(path)
        }
    }
}
