import APOD
import CommandLine
import FoundationEssentials
import Mirror
import Platform

/// The records of a mirror, for the commands that read it.
struct Reader {
    let tree: Tree
    private let store: Store

    init(_ arguments: Arguments) throws {
        try arguments.nameFoundMirror()
        tree = try Tree.reading(
            try Settings.root(arguments),
            known: KnownMirrors(environment: arguments.environment))
        store = Store(reading: tree)
    }

    /// The days with a record, newest first.
    func days() throws -> [Day] { try TreeIndex(of: tree).recorded.sorted(by: >) }

    /// The newest of ``days()``: none that is dated in the future, or that NASA took back.
    func newestDay() throws -> Day? {
        let (days, state) = (try TreeIndex(of: tree).recorded, try store.state())
        let dates = store.plausibleDates(state, days, at: Date())
        return state.newest == nil ? dates.newest(of: days) : state.newest(of: days, dates)
    }

    func record(of day: Day) throws -> DayRecord? { try store.record(of: day) }

    /// The bytes of the record of `day`, `nil` where there is none.
    func bytes(of day: Day) throws -> [UInt8]? {
        try tree.root.read("\(Layout.folder(Layout.metadata, of: day))/\(Layout.record(of: day))")
    }
}
