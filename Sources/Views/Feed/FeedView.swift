internal import APOD
internal import Mirror
internal import Platform

/// The newest days for feed readers: `feed.xml` in the format Atom (RFC 4287), and `feed.rss` in RSS 2.0.
///
/// `feed.rss` is made only if the settings have a base URL, because RSS needs absolute addresses.
struct FeedView: View {
    static let title = "the feed"
    static let showsFavorites = false
    private static let atomPath = "feed.xml"
    private static let rssPath = "feed.rss"
    private static let maximumEntries = 30

    private let baseURL: String?

    init(_ settings: ViewSettings) { baseURL = settings.baseURL }

    func update(_ input: ViewInput) throws -> ViewOutcome {
        var outcome = ViewOutcome()
        let files = input.files(of: .feeds)
        // If a user's own feed is in its place, it stays, and that is no problem.
        if baseURL == nil { outcome.addWithoutObstructions(try files.remove([Self.rssPath])) }
        let entries = try newestEntries(input, &outcome)
        // Without a record, an earlier feed is better than none.
        guard !entries.isEmpty else { return outcome }
        let feed = MirrorFeed(entries: entries, id: input.store.tree.id, baseURL: baseURL)
        var wanted = [Self.file(Self.atomPath, feed.atom)]
        if baseURL != nil { wanted.append(Self.file(Self.rssPath, feed.rss)) }
        outcome.add(try files.publish(wanted), in: input.root)
        return outcome
    }

    /// The file of a feed, to whose `bytes` a mark is added.
    ///
    /// The mark shows that the file is the mirror's own, even if a backup brings back an older one than the table has.
    private static func file(_ path: String, _ bytes: [UInt8]) -> ViewFiles.File {
        ViewFiles.File(path: path, bytes: bytes + InputDigest.mark(of: bytes, at: path))
    }

    /// The entries of the newest days; adds to `outcome` which days could not be read.
    private func newestEntries(
        _ input: ViewInput, _ outcome: inout ViewOutcome
    ) throws -> [FeedEntry] {
        var entries: [FeedEntry] = []
        var records = input.records(atMost: Self.maximumEntries)
        while let record = try records.next() {
            let day = GalleryDay(record.entry.day, record, in: input)
            entries.append(
                FeedEntry(galleryDay: day, fetched: record.lastChanged, baseURL: baseURL ?? ""))
        }
        outcome.addReadErrors(of: records.reader, consequence: "its day is left out")
        // Days that are older than a full feed would not be in it anyway.
        let isFull = records.limit == 0
        let oldest: Day = if isFull { entries.last?.day ?? .last } else { .first }
        outcome.addUnlistedDays(of: input.snapshot, from: oldest)
        return entries
    }
}
