internal import APOD

/// The published entries and files.
struct Catalog: Sendable {
    private var entries: [Day: SimulatedEntry] = [:]
    private var days: [Day] = []
    private var revisions: [Day: Int] = [:]
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

    /// The days of the list, newest first.
    func listed(from: Day, to: Day) -> [Day] {
        published.reversed().filter { from <= $0 && $0 <= to }
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
        return day(ofFileAt: path).flatMap(entry)?.assets[path]
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
