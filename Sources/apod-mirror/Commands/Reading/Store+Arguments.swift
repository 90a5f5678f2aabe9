import APOD
import CommandLine
import Favorites
import FoundationEssentials
import Mirror
import Platform
import Service

/// Opens a mirror for commands that read it, finds the days that they name, and explains why one is missing.
extension Store {
    /// Opens the mirror that `arguments` name, or else the one that a search finds, whose path is printed.
    init(_ arguments: Arguments) throws {
        try arguments.printFoundMirror()
        self.init(reading: try arguments.openTree())
    }

    /// The days with a record, newest first; directories that cannot be read are reported on standard error.
    func days() throws -> [Day] {
        let snapshot = try TreeSnapshot(of: tree.root, .records)
        for error in snapshot.readErrors {
            StandardStream.error.write("apod-mirror: \(error); its days are left out\n")
        }
        return snapshot.days.reversed().map(\.day)
    }

    /// The day that `word` names: a date, `latest`, the path of a file of the mirror, or an address.
    ///
    /// - Throws: ``CommandError`` if it names no day, or if it is `latest` and the mirror has no day.
    func day(_ word: String) throws -> Day {
        // The path of a file is resolved to that in the mirror, as the user may have typed it through a symbolic link.
        let file = MirrorChoice.existingFile(word).flatMap(Tree.location)
        let pathInMirror = file.flatMap { $0.root == tree.root.path ? $0.path : nil }
        guard let day = try DayArgument.day(pathInMirror ?? word, in: self) else {
            throw DayArgument.isLatest(word)
                ? absenceError(of: word)
                : CommandError.usage("“\(word)” is not a day; use \(DayArgument.expected)")
        }
        return day
    }

    // MARK: Errors

    /// The error for a day whose record the caller could not find, or not decode.
    ///
    /// - Throws: The error of examining the record.
    func missingDayError(_ day: Day) throws(SystemError) -> CommandError {
        if try ifPresent(tree.root.status(Layout.recordPath(of: day))) != nil {
            return CommandError(
                "the record of \(day) is damaged; “apod-mirror verify --repair \(day)” repairs it",
                .damaged)
        }
        // An error costs only the reason.
        let newest = (try? newestPublishedDay()) ?? nil
        if let absence = day.absence(newest: newest) { return CommandError(absence, .missing) }
        if let newest, day > newest {
            return CommandError(
                "\(day) is not in the mirror yet; NASA's newest day at the last sync was \(newest)",
                .missing)
        }
        return absenceError(of: "\(day)")
    }

    /// The error for a day, or for `latest` or `random` in a mirror without days.
    func absenceError(of day: String) -> CommandError {
        let unit = ServiceUnit.serving(tree.root.path, environment: processEnvironment())
        let setting = unit.map { "APOD_MIRROR_SINCE in \($0.settingsPath)" } ?? "“run --since”"
        return CommandError(
            "\(day) is not in the mirror; “apod-mirror status” lists missing days,"
                + " \(setting) adds older ones", .missing)
    }
}
