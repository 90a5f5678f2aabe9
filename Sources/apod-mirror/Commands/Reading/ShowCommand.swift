import APOD
import CommandLine
import Mirror
import Platform
import Service

/// `apod-mirror show DAY|random`: prints a day as text, or its record as JSON.
struct ShowCommand {
    /// The columns of a paragraph on a wider terminal, because longer lines are hard to read.
    private static let maximumColumns = 100
    /// The columns of a paragraph if the output is no terminal.
    private static let columnsOfFile = 80

    /// The width of the column of labels; the longest is “No picture”.
    private static let labelWidth = 11

    private let store: Store
    /// The operand: a day or “random”.
    private let word: String
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        word = arguments.operands[0]
        store = try Store.openForReading(arguments)
        isJSON = try arguments.isOn(.json)
    }

    func run() throws -> ExitCode {
        let day = try word.lowercased() == "random" ? randomDay() : store.day(named: word)
        do {
            guard let record = try store.record(of: day),
                let bytes = try store.tree.root.read(Layout.recordPath(of: day))
            else { throw try store.missingDayError(day) }
            if isJSON {
                // The bytes are printed as they are, because the record may have members that this version does not know.
                StandardStream.output.write(json: bytes)
            } else {
                StandardStream.output.write(text(of: record))
            }
            return .done
        } catch let error as SystemError {
            throw CommandError("\(day) cannot be read: \(error.advice)", .failure)
        }
    }

    private func randomDay() throws -> Day {
        guard let day = try store.daysReportingErrors().randomElement() else {
            throw store.notInMirrorError(word)
        }
        return day
    }

    private func text(of record: DayRecord) -> String {
        let title = ["\(record.entry.day)  \(record.entry.title)", ""]
        let lines = title + explanationLines(of: record) + factLines(about: record)
        return lines.joined(separator: "\n") + "\n"
    }

    private func explanationLines(of record: DayRecord) -> [String] {
        let width = min(StandardStream.output.columns ?? Self.columnsOfFile, Self.maximumColumns)
        return record.entry.explanation.split(separator: "\n\n").flatMap { paragraph in
            paragraph.wrapped(to: width) + [""]
        }
    }

    /// Lines of a label and a value, such as `Credit     NASA, ESA`.
    private func factLines(about record: DayRecord) -> [String] {
        let entry = record.entry
        var facts: [(label: String, value: String)] = []
        // The copyright is enough: NASA's credit repeats its holder.
        if let copyright = entry.copyright {
            facts.append(("Copyright", copyright))
        } else if let credit = entry.credit {
            facts.append(("Credit", credit))
        }
        if let picture = record.picture {
            let pixels = picture.width > 0 ? "\(picture.width) x \(picture.height), " : ""
            let size = "\(pixels)\(ByteCount(picture.bytes))"
            facts.append(("Picture", "\(place(of: picture.file)) (\(size))"))
        }
        if let video = record.video {
            let file = video.removed == nil ? video.file : nil
            facts.append(("Video", file.map(place) ?? video.url))
        }
        if let noPicture = record.noPicture { facts.append(("No picture", noPicture.reason)) }
        if let permalink = entry.permalink { facts.append(("Article", permalink)) }
        if record.route != .api { facts.append(("Route", record.route.name)) }
        facts += earlierPaths(of: entry.day).map { ("Earlier", "\(store.tree.root.path)/\($0)") }
        return facts.map { label, value in
            label + String(repeating: " ", count: Self.labelWidth - label.count) + value
        }
    }

    /// The absolute path of `file`; if it is not there, the reason.
    private func place(of file: RecordedFile) -> String {
        if let removed = file.removed { return "removed by --keep at \(removed.timestamp)" }
        if store.tree.hasLost(file.path) { return "missing: \(file.path)" }
        return "\(store.tree.root.path)/\(file.path)"
    }

    /// The paths of earlier versions of `day`; reports why they cannot be listed, and returns none then.
    private func earlierPaths(of day: Day) -> [String] {
        do {
            return try store.previousPaths(of: day)
        } catch {
            warn("\(error.advice); earlier versions are left out")
            return []
        }
    }
}
