import APOD
import CommandLine
import Favorites
import FoundationEssentials
import Mirror
import Platform
import Service

/// What the commands that read the mirror, such as `show` and `search`, have in common.
///
/// A `Store` reads the files of a mirror. These functions open it, find the day that a word of the command line names, and
/// explain why a day is missing. What cannot be read, but does not end the command, becomes a warning on standard error.
extension Store {
    /// Opens the mirror of `arguments`; if the user did not name it, first prints which mirror is used.
    static func openForReading(_ arguments: Arguments) throws -> Store {
        try arguments.printFoundMirror()
        return Store(reading: try MirrorAccess(arguments).openForReading())
    }

    /// The days with a record, newest first; for each directory that cannot be read, prints that its days are left out.
    func daysReportingErrors() throws -> [Day] {
        let snapshot = try TreeSnapshot(of: tree.root, .records)
        for error in snapshot.readErrors {
            warn("\(error.advice); its days are left out")
        }
        return snapshot.days.reversed().map(\.day)
    }

    /// The day that `word` names: a date, `latest`, the path of a file of the mirror, or an address.
    ///
    /// - Throws: ``CommandError`` if it names no day, or if it is `latest` and the mirror has no day.
    func day(named word: String) throws -> Day {
        if DayArgument.isLatest(word) { return try latestDay(word) }
        let text = try pathInMirror(ofFile: word) ?? word
        guard let day = try DayArgument.day(text, in: self) else {
            throw CommandError.usage("“\(word)” is not a day; use \(DayArgument.expected)")
        }
        return day
    }

    /// The newest day, for the argument `latest`.
    private func latestDay(_ latest: String) throws -> Day {
        do {
            _ = try state()
        } catch {
            // The day is then found without NASA's list of days.
            warn("\(error.advice); “latest” is the newest record")
        }
        guard let day = try DayArgument.day(latest, in: self) else {
            throw notInMirrorError(latest)
        }
        return day
    }

    /// The path in this mirror of the file that `word` names, perhaps through a symbolic link; `nil` if it names none.
    ///
    /// “~/apod/latest.jpg” becomes “latest.jpg”. The favorites commands do not follow a link: see ``FavoriteCommands``.
    private func pathInMirror(ofFile word: String) throws -> String? {
        guard let file = Arguments.existingFile(word), let place = try Tree.location(of: file),
            place.root == tree.root.path
        else { return nil }
        return place.pathInMirror
    }

    // MARK: Why a day is missing

    /// The error that says why there is no usable record of `day`: it is damaged, or there is none.
    ///
    /// - Throws: The error of the disk, if it cannot tell whether there is a record.
    func missingDayError(_ day: Day) throws(SystemError) -> CommandError {
        let recordFile = try ifPresent(tree.root.status(Layout.recordPath(of: day)))
        guard recordFile == nil else {
            return CommandError(
                "the record of \(day) is damaged; “apod-mirror verify --repair \(day)” repairs it",
                .damaged)
        }
        return errorWithoutRecord(of: day)
    }

    /// The error that says why there is no record of `day`.
    private func errorWithoutRecord(of day: Day) -> CommandError {
        // If the newest day cannot be read, the message is only less exact.
        let newest = try? newestPublishedDay()
        // NASA published nothing on that day, or will publish it.
        if let absence = day.absence(newest: newest) { return CommandError(absence, .missing) }
        if let newest, day > newest {
            return CommandError(
                "\(day) is not in the mirror yet; NASA's newest day at the last sync was \(newest)",
                .missing)
        }
        // The settings do not ask for it, or it could not be downloaded.
        return notInMirrorError("\(day)")
    }

    /// The error that there is no day for `word`: a date, or in a mirror without days also `latest` or `random`.
    func notInMirrorError(_ word: String) -> CommandError {
        let writer = Tree.writer(in: tree.root)
        let daemon = writer?.role == .daemon ? writer?.process : nil
        let unit = ServiceUnit.serving(tree.root.path, environment: processEnvironment())
        let setting =
            if let unit, unit.hasSettings(of: daemon) {
                "APOD_MIRROR_SINCE in \(unit.settingsPath)"
            } else {
                "“run --since”"
            }
        return CommandError(
            "\(word) is not in the mirror; “apod-mirror status” lists missing days,"
                + " \(setting) adds older ones", .missing)
    }
}
