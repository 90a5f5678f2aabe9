/// The entries of one answer, and what else it says.
struct Answer: Sendable {
    /// As the answer orders them.
    private(set) var entries: [Entry] = []
    private(set) var rejections: [Rejection] = []
    /// The days of all elements that name one, as the answer orders them.
    private(set) var days: [Day] = []
    /// The days of elements that were not asked for.
    private var strays: [Day] = []
    /// The number of elements that match, and of pages that hold them, where the server says it.
    let total: Int?
    let pages: Int?

    /// The days that the page of their entry names.
    private var certain: Set<Day> = []
    /// The last element, where its page names another day: the next answer may have a better one.
    private(set) var doubtful: ArraySlice<UInt8>?
    /// Whether there were more elements than may be.
    let isCut: Bool

    /// - Parameters:
    ///   - elements: The JSON of each element.
    ///   - isCut: Whether there are more.
    ///   - decoder: Makes an entry of each.
    ///   - headers: Those of the answer.
    ///   - asked: The days that the answer may speak of: what is of another is rejected.
    init(
        _ elements: [ArraySlice<UInt8>], isCut: Bool = false, by decoder: EntryDecoder,
        headers: [String: String], asked: ClosedRange<Day> = .all
    ) {
        self.isCut = isCut
        total = headers["x-wp-total"].flatMap { Int($0) }
        pages = headers["x-wp-totalpages"].flatMap { Int($0) }
        for json in elements where !Task.isCancelled {
            doubtful = nil
            do {
                let element = try RawEntry(json: json)
                let entry = try decoder.entry(from: element)
                guard asked.contains(entry.day) else {
                    strays.append(entry.day)
                    continue
                }
                add(entry, from: element, json)
            } catch {
                if let day = error.day, !asked.contains(day) {
                    strays.append(day)
                } else {
                    rejections.append(error)
                    if let day = error.day { days.append(day) }
                }
            }
        }
        rejections += strays.map { day in
            let range = "\(asked.lowerBound) to \(asked.upperBound)"
            return Rejection(day: nil, reason: "an entry is dated \(day), outside of \(range)")
        }
    }

    /// Adds `entry`, or the better one where there are two of one date: NASA misfiled some days.
    private mutating func add(_ entry: Entry, from element: RawEntry, _ json: ArraySlice<UInt8>) {
        days.append(entry.day)
        let namesItsDay = element.pageDay.map { $0 == entry.day }
        if let earlier = entries.firstIndex(where: { $0.day == entry.day }) {
            guard namesItsDay == true, !certain.contains(entry.day) else {
                return reject(double: entry)
            }
            reject(double: entries[earlier])
            entries[earlier] = entry
        } else {
            entries.append(entry)
            if namesItsDay == false { doubtful = json }
        }
        if namesItsDay == true { certain.insert(entry.day) }
    }

    /// Its day is not said: the other entry of that date is the day's.
    private mutating func reject(double entry: Entry) {
        rejections.append(
            Rejection(
                day: nil,
                reason: "“\(entry.title.prefix(80))” is a second entry dated \(entry.day)"))
    }

    var isEmpty: Bool { entries.isEmpty && rejections.isEmpty }

    /// Whether no element is newer than the one before it; two may have one date.
    var isDescending: Bool { zip(days, days.dropFirst()).allSatisfy { $0 >= $1 } }

    /// The entry of `day`.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` naming what `address` answered instead.
    func entry(of day: Day, from address: WebAddress) throws(FeedError) -> Entry {
        if let entry = entries.first(where: { $0.day == day }) { return entry }
        if entries.isEmpty, let rejection = rejections.first {
            throw .unusable("\(address) answered no entry: \(rejection.reason)")
        }
        let found = entries.first.map { "\($0.day)" } ?? "an empty list"
        throw .unusable("\(address) answered \(found) when asked for \(day)")
    }

    /// All of it as the newest that `address` has.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` where no entry is among it.
    func newest(from address: WebAddress) throws(FeedError) -> Listing {
        let entries = entries.sorted { $0.day > $1.day }
        guard let newest = entries.first?.day, let oldest = entries.last?.day else {
            let reason = rejections.first?.reason ?? "the list is empty"
            throw .unusable("\(address) answered no entry: \(reason)")
        }
        // Out of order, it does not say what lies between.
        return Listing(
            entries: entries, rejections: rejections,
            covered: (isDescending ? oldest : newest)...newest)
    }

    /// - Throws: ``FeedError/unusable(_:)`` where all elements are of other days: a server that ignores
    ///   what it was asked for says nothing about it.
    func check(days asked: ClosedRange<Day>, from address: WebAddress) throws(FeedError) {
        guard days.isEmpty, let other = strays.first else { return }
        throw .unusable(
            "\(address) answered \(other) when asked for \(asked.lowerBound) to \(asked.upperBound)"
        )
    }
}

extension ClosedRange<Day> {
    /// The whole archive.
    static var all: Self { Day.first...Day.last }
}

extension RawEntry {
    /// The day whose page is in it: the first date there, as in "2007 July 16" or "July 16, 2007".
    ///
    /// The page's title and heading stand at its beginning, links to other days at its end.
    var pageDay: Day? {
        let beginning = String(decoding: (basicHTML ?? "").utf8.prefix(8 << 10), as: UTF8.self)
        let words = beginning.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        for place in words.indices.dropLast(2) {
            let words = words[place...].prefix(3).map(String.init)
            let day =
                Self.day(year: words[0], month: words[1], day: words[2])
                ?? Self.day(year: words[2], month: words[0], day: words[1])
            if let day { return day }
        }
        return nil
    }

    private static func day(year: String, month: String, day: String) -> Day? {
        guard let month = Day.months.firstIndex(of: month), let year = Int(year),
            let day = Int(day)
        else { return nil }
        return Day(year: year, month: month + 1, day: day)
    }
}
