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
        let entry = record.entry
        let width = min(StandardStream.output.columns ?? Self.columnsOfFile, Self.maximumColumns)
        var lines = ["\(entry.day)  \(entry.title)", ""]
        for paragraph in entry.explanation.split(separator: "\n\n") {
            lines += paragraph.wrapped(to: width) + [""]
        }
        // The copyright is enough: NASA's credit repeats its holder.
        if let copyright = entry.copyright {
            lines.append("Copyright  \(copyright)")
        } else if let credit = entry.credit {
            lines.append("Credit     \(credit)")
        }
        if let picture = record.picture {
            let pixels = picture.width > 0 ? "\(picture.width) x \(picture.height), " : ""
            lines.append(
                "Picture    \(place(of: picture.file)) (\(pixels)\(ByteCount(picture.bytes)))")
        }
        if let video = record.video {
            let file = video.removed == nil ? video.file : nil
            lines.append("Video      \(file.map(place) ?? video.url)")
        }
        if let noPicture = record.noPicture { lines.append("No picture \(noPicture.reason)") }
        if let permalink = entry.permalink { lines.append("Article    \(permalink)") }
        if record.route != .api { lines.append("Route      \(record.route.name)") }
        for path in earlierPaths(of: entry.day) {
            lines.append("Earlier    \(store.tree.root.path)/\(path)")
        }
        return lines.joined(separator: "\n") + "\n"
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
