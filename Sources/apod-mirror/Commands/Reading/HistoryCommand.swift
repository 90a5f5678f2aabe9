import APOD
import CommandLine
import FoundationEssentials
import JSON
import Mirror
import Platform
import Service

/// `apod-mirror history [DAY]`: prints what NASA changed, and when.
struct HistoryCommand {
    private let reader: MirrorReader
    /// The day whose revisions are printed; `nil` for all days that NASA changed since ``since``.
    private let day: Day?
    /// Used only if ``day`` is `nil`.
    private let since: Since
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        let word = arguments.operands.first
        guard word == nil || !arguments.isTyped(.editedSince) else {
            throw CommandError.usage("--since lists all days; use it without a day")
        }
        since = try arguments.pastSince(.editedSince)
        reader = try MirrorReader(arguments)
        day = try word.map(reader.day)
        isJSON = try arguments.isOn(.json)
    }

    func run() throws -> ExitCode {
        if let day { return try show(day) }
        let start = since.start(before: Date())
        var changed: [HistoryText] = []
        for day in try reader.store.editedDays().sorted(by: >) {
            let history = try HistoryText(reader.store.history(of: day), since: start)
            printNotes(of: history)
            if !history.isEmpty { changed.append(history) }
        }
        if isJSON {
            StandardStream.output.write(json: JSON.array(changed.map(\.json)).document)
        } else {
            StandardStream.output.write(changed.map(\.text).joined(separator: "\n"))
            if changed.isEmpty {
                StandardStream.error.write("no edit by NASA was found since \(start.timestamp)\n")
            }
        }
        return .done
    }

    /// Prints all revisions of one day.
    private func show(_ day: Day) throws -> ExitCode {
        let history = try HistoryText(reader.store.history(of: day), since: nil)
        printNotes(of: history)
        // Each record is a revision, also one that NASA never changed.
        guard !history.isEmpty else { throw reader.missingDayError(day) }
        if isJSON {
            StandardStream.output.write(json: history.json.document)
        } else {
            StandardStream.output.write(history.text)
        }
        return .done
    }

    /// Prints which revisions cannot be read.
    private func printNotes(of history: HistoryText) {
        for note in history.notes { StandardStream.error.write("apod-mirror: \(note)\n") }
    }
}

extension Since {
    /// The first moment of the period that ends `now`; a day begins at midnight UTC.
    fileprivate func start(before now: Date) -> Date {
        let secondsPerDay = 86_400.0
        return switch self {
        case .days(let count): now.addingTimeInterval(-secondsPerDay * Double(count))
        case .day(let day): day.startInUTC
        case .all: .distantPast
        }
    }
}
