internal import APOD
internal import Mirror
internal import Platform

/// The newest days for feed readers: `feed.xml` in the format Atom (RFC 4287), and `feed.rss` in RSS 2.0.
///
/// RSS needs absolute addresses: `feed.rss` is there only if there is a base URL.
struct FeedView: View {
    static let title = "the feed"
    private static let atom = "feed.xml"
    private static let rss = "feed.rss"
    private static let maximumEntries = 30

    private let baseURL: String?

    init(_ settings: ViewSettings) { baseURL = settings.baseURL }

    func update(_ input: ViewInput) throws -> ViewOutcome {
        var outcome = ViewOutcome()
        let files = input.files(of: .feeds)
        // A feed of the user's own in its place is no problem.
        if baseURL == nil { outcome.addChanges(try files.remove([Self.rss])) }
        let feed = MirrorFeed(
            entries: try entries(input, &outcome), id: input.store.tree.id, baseURL: baseURL)
        // Without a record, an earlier feed is better than none.
        guard !feed.entries.isEmpty else { return outcome }
        var wanted = [ViewFiles.File(path: Self.atom, bytes: feed.atom)]
        if baseURL != nil { wanted.append(ViewFiles.File(path: Self.rss, bytes: feed.rss)) }
        outcome.add(try files.publish(wanted), in: input.root)
        return outcome
    }

    private func entries(
        _ input: ViewInput, _ outcome: inout ViewOutcome
    ) throws -> [FeedEntry] {
        var entries: [FeedEntry] = []
        var records = input.records
        var oldest = Day.last
        while let record = try records.next(
            untilErrors: Self.maximumEntries - entries.count)
        {
            let day = record.entry.day
            oldest = day
            entries.append(
                FeedEntry(
                    GalleryDay(day, record, in: input), fetched: record.fetched,
                    baseURL: baseURL ?? ""))
        }
        outcome.addUnreadable(records, "its day is left out")
        let isFull = entries.count + records.errors.count >= Self.maximumEntries
        outcome.addHiddenDays(of: input.snapshot, from: isFull ? oldest : .first)
        return entries
    }
}
