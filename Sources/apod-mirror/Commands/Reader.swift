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

    /// The days of ``days()`` that are not dated in the future, as far as is known.
    func pastDays() throws -> [Day] {
        let (days, state) = (try days(), try store.state())
        let dates = store.plausibleDates(state, Set(days), at: Date())
        return days.filter(dates.contains)
    }

    func record(of day: Day) throws -> DayRecord? { try store.record(of: day) }

    /// The bytes of the record of `day`, `nil` where there is none.
    func bytes(of day: Day) throws -> [UInt8]? {
        try tree.root.read("\(Layout.folder(Layout.metadata, of: day))/\(Layout.record(of: day))")
    }
}
