import APOD
import CommandLine
import Favorites
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

    /// The days with a record, newest first; directories that cannot be read are reported.
    func days() throws -> [Day] { try snapshot().recorded.sorted(by: >) }

    private func snapshot() throws -> TreeSnapshot {
        let snapshot = try TreeSnapshot(of: tree.root)
        for error in snapshot.obstacles {
            StandardStream.error.write("apod-mirror: \(error); its days are left out\n")
        }
        return snapshot
    }

    /// The newest of ``days()``, without days in the future and days that NASA withdrew.
    func newestDay() throws -> Day? { try store.newestDay(in: snapshot()) }

    /// The day that `word` names; `nil` for `latest` in a mirror without days.
    ///
    /// - Throws: ``CommandError`` if it names no day.
    func day(_ word: String) throws -> Day? {
        let file = MirrorChoice.existingFile(word).flatMap(Tree.location)
        let path = file.flatMap { $0.root == tree.root.path ? $0.path : nil }
        var isLatest = false
        let day = try DayArgument.day(path ?? word, in: tree) {
            isLatest = true
            return try newestDay()
        }
        guard day != nil || isLatest else {
            throw CommandError.usage("“\(word)” is not a day; use \(DayArgument.expected)")
        }
        return day
    }

    /// The absolute path of `file`; `nil` without a file, and for one that cannot be a file of `day`.
    func path(of file: String?, of day: Day) -> String? {
        guard let file, Layout.isPath(file, inPicturesOf: day) else { return nil }
        return "\(tree.root.path)/\(file)"
    }

    /// The bytes of the record of `day`, `nil` if there is none.
    func bytes(of day: Day) throws -> [UInt8]? {
        try tree.root.read(Layout.recordPath(of: day))
    }

    /// The error for a day whose record cannot be read.
    ///
    /// `word` is what the user typed; it names the day in the message if `day` is `nil`.
    func missingDayError(_ day: Day?, typed word: String = "") -> CommandError {
        let snapshot = try? TreeSnapshot(of: tree.root)
        if let day, snapshot?[day]?.record != nil {
            return CommandError(
                "the record of \(day) is damaged; “apod-mirror verify --repair \(day)” repairs it",
                .damaged)
        }
        let known = snapshot.flatMap { try? store.newestDay(in: $0) }
        let newest = (try? store.state())?.newest ?? known
        if let absence = day.flatMap({ DayAbsence(of: $0, newest: newest) }) {
            return CommandError("\(absence)", .missing)
        }
        if let day, let newest, day > newest {
            return CommandError(
                "\(day) is not in the mirror yet; the newest day of NASA that it knows is \(newest)",
                .missing)
        }
        return CommandError(
            "\(day.map { "\($0)" } ?? word) is not in the mirror; “apod-mirror status” lists missing days,"
                + " “run --since” adds older ones", .missing)
    }
}
