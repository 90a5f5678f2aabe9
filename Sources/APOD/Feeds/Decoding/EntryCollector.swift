/// Decodes the elements of a response one after the other, and keeps at most one entry for each day.
///
/// When NASA moved its entries in 2026, some days got two entries. The right one is the entry whose web page has the date
/// of the day. If neither web page has that date, or both have it, the first entry counts.
struct EntryCollector {
    /// An entry of a day, which the right entry of that day may replace.
    private struct Candidate {
        var entry: Entry
        /// Whether the web page of the entry has the date of its day.
        let isVerified: Bool
    }

    private var candidates: [Candidate] = []
    /// Why elements are no entries.
    private(set) var rejections: [EntryRejection] = []
    /// The days of all elements whose day was requested, in the order of the response.
    ///
    /// A day may occur twice. The day of a misfiled entry is left out, because the right entry of that day may follow.
    private(set) var listedDays: [Day] = []

    private let decoder: EntryDecoder
    private let requestedDays: ClosedRange<Day>

    /// At most one entry for each day, in the order of the response.
    var entries: [Entry] { candidates.map(\.entry) }

    init(decoder: EntryDecoder, requestedDays: ClosedRange<Day>) {
        self.decoder = decoder
        self.requestedDays = requestedDays
    }

    /// Decodes the next element of the response, and rejects it if its day was not requested.
    mutating func add(_ element: RawElement) {
        do throws(EntryRejection) {
            let rawEntry = try element.get()
            try add(decoder.entry(from: rawEntry), dayOfPage: rawEntry.dayOfPage)
        } catch {
            if let day = error.day, requestedDays.contains(day) {
                listedDays.append(day)
                rejections.append(error)
            } else {
                rejections.append(EntryRejection(day: nil, reason: error.reason))
            }
        }
    }

    private mutating func add(_ entry: Entry, dayOfPage: Day?) throws(EntryRejection) {
        var entry = entry
        guard requestedDays.contains(entry.day) else {
            let range = "\(requestedDays.lowerBound) to \(requestedDays.upperBound)"
            throw EntryRejection(
                day: nil, reason: "an entry is dated \(entry.day), outside of \(range)")
        }
        if entry.isMisfiled {
            entry.day = Day.misfiled.own
        } else {
            listedDays.append(entry.day)
        }
        addOrReject(Candidate(entry: entry, isVerified: dayOfPage == entry.day))
    }

    /// Adds `candidate`; if its day has an entry already, keeps the right one of the two, and rejects the other.
    private mutating func addOrReject(_ candidate: Candidate) {
        let index = candidates.firstIndex { $0.entry.day == candidate.entry.day }
        guard let index else { return candidates.append(candidate) }
        var wrongEntry = candidate.entry
        if candidate.isVerified, !candidates[index].isVerified {
            wrongEntry = candidates[index].entry
            candidates[index] = candidate
        }
        // The rejection does not name the day, because the day has the other entry.
        let reason = "“\(wrongEntry.title.prefix(80))” is a second entry dated \(wrongEntry.day)"
        rejections.append(EntryRejection(day: nil, reason: reason))
    }

    /// Removes the pictures of each entry whose best picture is also that of two or more other days: a ``Placeholder``.
    ///
    /// An entry that has no video either is rejected, unless it is valid without media.
    ///
    /// NASA's old API names its logo for every day, and any feed may name another picture of NASA's site in this way for some
    /// hours. NASA repeats a real picture much later: from 1995 to 2019, none had three days within 400 days.
    mutating func removeSharedPictures() {
        let daysOfPlaceholder = 3
        var dayCounts: [String: Int] = [:]
        for url in entries.compactMap(\.bestPictureURL) { dayCounts[url, default: 0] += 1 }
        var kept: [Candidate] = []
        for var candidate in candidates {
            if let url = candidate.entry.bestPictureURL,
                dayCounts[url, default: 0] >= daysOfPlaceholder
            {
                candidate.entry.media.pictures = []
                if candidate.entry.media.video == nil, !candidate.entry.mayLackMedia {
                    rejections.append(
                        EntryRejection(day: candidate.entry.day, reason: Placeholder.reason))
                    continue
                }
            }
            kept.append(candidate)
        }
        candidates = kept
    }
}

extension Entry {
    /// Whether this is the one entry that NASA lists under a wrong date; see ``Day/misfiled``.
    fileprivate var isMisfiled: Bool {
        day == Day.misfiled.listed && title.hasPrefix("Manhattanhenge")
    }

    fileprivate var bestPictureURL: String? { media.pictures.first?.url }

    /// Whether the entry is valid without picture and video: only NASA's API says that a day has none.
    fileprivate var mayLackMedia: Bool { feed == .basic && route == .api }
}
