import APOD
import Mirror
import Platform

/// Reads the records of many days in their order: it opens the directory of each month once.
struct RecordReader {
    private let root: Directory
    private var month: (days: ClosedRange<Day>, folder: Directory)?

    init(_ tree: Tree) { root = tree.root }

    /// The bytes of the record of `day`; `nil` if there is none.
    mutating func bytes(of day: Day) throws(SystemError) -> [UInt8]? {
        if month?.days.contains(day) != true {
            let path = Layout.folder(Layout.metadata, of: day)
            month = try root.folder(path).map { (Month(of: day).days, $0) }
        }
        return try month?.folder.read(Layout.record(of: day))
    }
}
