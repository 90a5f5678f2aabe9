internal import APOD

/// The published entries and files.
struct Catalog: Sendable {
    private var entries: [Day: SimulatedEntry] = [:]
    private var days: [Day] = []
    private var revisions: [Day: Int] = [:]
    /// Entries that are listed under the date of another day.
    private var misfiled: [Day: [SimulatedEntry]] = [:]
    /// The days that have a file, by its decoded path.
    private var owners: [String: [Day]] = [:]
    /// Later days are not published yet.
    var newest: Day?

    init(_ archive: Archive) {
        entries = archive.entries
        days = archive.days
        for day in days { own(day) }
    }

    /// The published days in order.
    var published: ArraySlice<Day> {
        guard let newest else { return days[...] }
        return days.prefix { $0 <= newest }
    }

    func entry(of day: Day) -> SimulatedEntry? {
        guard day <= newest ?? .last else { return nil }
        return entries[day]
    }

    /// The entries that are listed under the date of `day`.
    func listed(under day: Day) -> [SimulatedEntry] {
        guard let entry = entry(of: day) else { return [] }
        return misfiled[day, default: []] + [entry]
    }

    /// The entries of the list, newest first: days, and positions in ``listed(under:)``.
    ///
    /// Of a long list, no entry is copied: a client asks for a few of them at a time.
    func places(from: Day, to: Day) -> [(day: Day, index: Int)] {
        published.reversed().filter { from <= $0 && $0 <= to }.flatMap { day in
            (0...(misfiled[day]?.count ?? 0)).map { (day, $0) }
        }
    }

    /// The number of the post of the entry of `day`.
    static func post(of day: Day) -> Int { 1_000_000 + day.number }

    /// The entry whose post has that number, and the day under which it is listed.
    func listed(post: Int) -> (entry: SimulatedEntry, day: Day)? {
        guard let day = Day(number: post - 1_000_000) else { return nil }
        if let entry = entry(of: day) { return (entry, day) }
        return misfiled.lazy.flatMap { listed, entries in entries.map { ($0, listed) } }
            .first { $0.0.day == day }
    }

    mutating func misfile(_ entry: SimulatedEntry, under day: Day) {
        misfiled[day, default: []].append(entry)
    }

    /// Adds an entry, or replaces the one of that day.
    mutating func publish(_ entry: SimulatedEntry) {
        if entries[entry.day] == nil {
            let place = days.firstIndex { $0 > entry.day } ?? days.endIndex
            days.insert(entry.day, at: place)
        } else {
            revisions[entry.day, default: 0] += 1
            disown(entry.day)
        }
        entries[entry.day] = entry
        own(entry.day)
    }

    mutating func withdraw(_ day: Day) {
        disown(day)
        entries[day] = nil
        days.removeAll { $0 == day }
    }

    /// The day whose file is at `path`, preferably a published one.
    func day(ofFileAt path: String) -> Day? {
        let owners = owners[path.trimmingTrailingBlanks] ?? []
        return owners.first { entry(of: $0) != nil } ?? owners.first
    }

    /// The file at `path` of a day that is published.
    func asset(at path: String) -> SimulatedAsset? {
        if [SimulatedPlaceholder.thumbnailPath, SimulatedPlaceholder.logoPath].contains(path) {
            return SimulatedAsset(file: SimulatedPlaceholder.file)
        }
        let path = path.trimmingTrailingBlanks
        let owner = day(ofFileAt: path).flatMap(entry)?.assets[path]
        return owner ?? misfiled.values.joined().lazy.compactMap { $0.assets[path] }.first
    }

    /// When the files of `day` changed, in seconds since 1970: at noon, and an hour later at each edit.
    func modified(_ day: Day?) -> Int {
        guard let day else { return Day.first.noon }
        return day.noon + 3600 * revisions[day, default: 0]
    }

    private mutating func own(_ day: Day) {
        for path in (entries[day]?.assets ?? [:]).keys { owners[path, default: []].append(day) }
    }

    private mutating func disown(_ day: Day) {
        for path in (entries[day]?.assets ?? [:]).keys { owners[path]?.removeAll { $0 == day } }
    }
}
