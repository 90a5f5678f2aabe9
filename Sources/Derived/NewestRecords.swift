internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// The records of a tree, newest first; each is read when it is needed.
///
/// Days in the future and days that NASA withdrew are left out, as for `newest` in a sync.
struct NewestRecords {
    private let store: Store
    /// The months that are not listed yet, and the listed days that are not read yet, in ascending order.
    private var months: [String]
    private var days: [Day] = []
    private let dates: PlausibleDates
    /// The newest day that is not left out.
    private let limit: Day
    private var records: [DayRecord] = []

    /// The number of days by which an isolated one is recognized as a mistake.
    private static let considered = 40

    init(of store: Store, upTo newest: Day) throws {
        self.store = store
        months = try store.snapshots.current().months
        while days.count < Self.considered, let month = months.popLast() {
            days.insert(contentsOf: try Self.days(of: month, in: store.tree.root), at: 0)
        }
        let state = try store.state()
        dates = store.plausibleDates(state, Set(days.suffix(1)), at: Date())
        limit = min(newest, state.newest ?? dates.newest(of: days) ?? .last)
    }

    /// The record at `index`, counted from the newest; `nil` if there are fewer.
    ///
    /// A damaged record is left out.
    subscript(index: Int) -> DayRecord? {
        mutating get throws(SystemError) {
            while records.count <= index, let day = try nextDay() {
                guard day <= limit, dates.contains(day), let record = try store.record(of: day)
                else { continue }
                records.append(record)
            }
            return records.count > index ? records[index] : nil
        }
    }

    private mutating func nextDay() throws(SystemError) -> Day? {
        while days.isEmpty, let month = months.popLast() {
            days = try Self.days(of: month, in: store.tree.root)
        }
        return days.popLast()
    }

    /// The days with a record in the directory of `month`, in ascending order.
    private static func days(of month: String, in root: Directory) throws(SystemError) -> [Day] {
        let folder = "\(Layout.metadata)/\(month.prefix(4))/\(month)"
        return try root.textNames(in: folder).sorted().compactMap { name in
            Day(iso: name.prefix(10)).flatMap { Layout.record(of: $0) == name ? $0 : nil }
        }
    }
}
