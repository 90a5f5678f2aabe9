internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// The records of a tree, newest first; each is read when it is needed.
///
/// Days in the future and days that NASA withdrew are left out, as for the link `latest.*`.
struct NewestRecords {
    private let store: Store
    private var days: NewestDays
    private let dates: PlausibleDates
    /// The newest day that is not left out.
    private let limit: Day
    private var records: [DayRecord] = []

    /// The number of days by which an isolated one is recognized as a mistake.
    private static let considered = 40

    init(of store: Store) throws {
        self.store = store
        days = try NewestDays(in: store.tree.root)
        var listing = days
        var listed: Set<Day> = []
        while listed.count < Self.considered, let day = try listing.next() { listed.insert(day) }
        let state = try store.state()
        dates = store.plausibleDates(state, Set([listed.max()].compactMap(\.self)), at: Date())
        limit = state.newest ?? dates.newest(of: listed) ?? .last
    }

    /// The record at `index`, counted from the newest; `nil` if there are fewer.
    ///
    /// A damaged record is left out.
    subscript(index: Int) -> DayRecord? {
        mutating get throws(SystemError) {
            while records.count <= index, let day = try days.next() {
                guard day <= limit, dates.contains(day), let record = try store.record(of: day)
                else { continue }
                records.append(record)
            }
            return records.count > index ? records[index] : nil
        }
    }
}

/// The days with a record, newest first; each month is listed when it is reached.
struct NewestDays {
    private let root: Directory
    /// In ascending order, as the days.
    private var months: [String]
    private var days: [Day] = []

    init(in root: Directory) throws(SystemError) {
        self.root = root
        months = try TreeIndex.months(in: root)
    }

    mutating func next() throws(SystemError) -> Day? {
        while days.isEmpty, let month = months.popLast() {
            let folder = "\(Layout.metadata)/\(month.prefix(4))/\(month)"
            days = try root.textNames(in: folder).sorted().compactMap { name in
                guard let day = Day(iso: name.prefix(10)), name == Layout.record(of: day)
                else { return nil }
                return day
            }
        }
        return days.popLast()
    }
}
