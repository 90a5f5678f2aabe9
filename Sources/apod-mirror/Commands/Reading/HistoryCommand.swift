import APOD
import CommandLine
import FoundationEssentials
import JSON
import Mirror
import Platform

/// `apod-mirror history [DAY]`: prints what NASA changed, and when.
struct HistoryCommand {
    private let reader: Reader
    /// `nil` for all days that changed lately.
    private let day: Day?
    /// The period of the edits, without a day.
    private let since: Since
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        let word = arguments.operands.first
        guard word == nil || !arguments.isTyped(.editedSince) else {
            throw CommandError.usage("--since lists all days; use it without a day")
        }
        since = try arguments.pastSince(.editedSince) ?? .days(30)
        let reader = try Reader(arguments)
        day = try word.map { word in
            guard let day = try reader.day(word) else {
                throw reader.missingDayError(nil, typed: word)
            }
            return day
        }
        self.reader = reader
        isJSON = try arguments.isOn(.json)
    }

    func run() throws -> ExitCode {
        if let day { return try show(day) }
        let start = since.start(before: Date())
        var changed: [HistoryText] = []
        for day in try reader.store.editedDays().sorted(by: >) {
            let history = try HistoryText(reader.store.history(of: day), since: start)
            report(history.notes)
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
        report(history.notes)
        guard !history.isEmpty else { throw reader.missingDayError(day) }
        isJSON
            ? StandardStream.output.write(json: history.json.document)
            : StandardStream.output.write(history.text)
        return .done
    }

    private func report(_ notes: [String]) {
        for note in notes { StandardStream.error.write("apod-mirror: \(note)\n") }
    }
}

extension Since {
    /// The first moment of the period that ends `now`.
    fileprivate func start(before now: Date) -> Date {
        switch self {
        case .days(let count): now.addingTimeInterval(-86_400 * Double(count))
        case .day(let day): Date(timeIntervalSince1970: Double(day.number) * 86_400)
        case .all: .distantPast
        }
    }
}
