import APOD
import CommandLine
import FoundationEssentials
import Mirror
import Platform

/// Reads the records of a mirror for `show`, `search` and `history`.
struct Reader {
    let tree: Tree
    let store: Store

    init(_ arguments: Arguments) throws {
        try arguments.printFoundMirror()
        self.init(try arguments.openTree())
    }

    init(_ tree: Tree) {
        self.tree = tree
        store = Store(reading: tree)
    }

    /// The days with a record, newest first.
    func days() throws -> [Day] { try TreeIndex(of: tree).recorded.sorted(by: >) }

    /// The newest of ``days()``, without days in the future and days that NASA withdrew.
    func newestDay() throws -> Day? {
        let (days, state) = (try TreeIndex(of: tree).recorded, try store.state())
        let dates = store.plausibleDates(state, days, at: Date())
        return state.newest == nil ? dates.newest(of: days) : state.newest(of: days, dates)
    }

    /// The absolute path of a file of `day`; `nil` if a record names one that is none of its pictures.
    func path(of file: String?, of day: Day) -> String? {
        guard let file, Layout.isPath(file, inPicturesOf: day) else { return nil }
        return "\(tree.root.path)/\(file)"
    }

    /// The bytes of the record of `day`, `nil` if there is none.
    func bytes(of day: Day) throws -> [UInt8]? {
        try tree.root.read(Layout.recordPath(of: day))
    }

    /// The error of a command that needs the record of `day`, which the command line names `which`.
    func missing(_ day: Day?, as which: String) -> CommandError {
        let recorded = (try? TreeIndex(of: tree).recorded) ?? []
        if let day, recorded.contains(day) {
            return CommandError(
                "the record of \(day) is damaged; “apod-mirror verify --repair \(day)” repairs it",
                .damaged)
        }
        return CommandError(
            "\(which) is not in the mirror; “apod-mirror status” lists missing days, “run --since” adds older ones",
            .missing)
    }
}
