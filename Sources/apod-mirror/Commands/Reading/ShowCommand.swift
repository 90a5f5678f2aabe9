import APOD
import CommandLine
import Mirror
import Platform

/// `apod-mirror show DAY|random`: prints a day.
struct ShowCommand {
    private let reader: Reader
    private let which: String
    private let isJSON: Bool
    private let opensPicture: Bool
    /// The variable `PATH`.
    private let path: String?

    init(_ arguments: Arguments) throws {
        which = arguments.operands[0]
        reader = try Reader(arguments)
        isJSON = try arguments.isOn(.json)
        opensPicture = try arguments.isOn(.open)
        path = arguments["PATH"]
    }

    func run() async throws -> ExitCode {
        let day =
            try which.lowercased() == "random"
            ? reader.days().randomElement() : reader.day(which)
        guard let day, let record = try reader.store.record(of: day),
            let bytes = try reader.bytes(of: day)
        else {
            throw reader.missingDayError(day, typed: which)
        }
        isJSON
            ? StandardStream.output.write(json: bytes)
            : StandardStream.output.write(text(of: record))
        if opensPicture { try await open(record) }
        return .done
    }

    /// Opens the picture, else the video.
    private func open(_ record: DayRecord) async throws {
        let day = record.entry.day
        let picture = record.picture.flatMap { $0.removed == nil ? $0.path : nil }
        let video = record.video.flatMap { $0.removed == nil ? $0.path : nil }
        guard let file = reader.path(of: picture ?? video, of: day) else {
            throw CommandError("the mirror has no picture of \(day) to open")
        }
        try await DesktopViewer.open(file, path: path)
    }

    /// A day as readable text, as wide as the terminal.
    private func text(of record: DayRecord) -> String {
        let entry = record.entry
        let width = min(StandardStream.output.columns ?? 80, 100)
        var lines = ["\(entry.day)  \(entry.title)", ""]
        for paragraph in entry.explanation.split(separator: "\n\n") {
            lines += paragraph.wrapped(to: width) + [""]
        }
        if let copyright = entry.copyright {
            lines.append("Copyright  \(copyright)")
        } else if let credit = entry.credit {
            lines.append("Credit     \(credit)")
        }
        if let picture = record.picture {
            let pixels = picture.width > 0 ? "\(picture.width) x \(picture.height), " : ""
            let place =
                picture.removed.map { "removed by --keep at \($0.timestamp)" }
                ?? "\(reader.tree.root.path)/\(picture.path)"
            lines.append("Picture    \(place) (\(pixels)\(ByteCount(picture.bytes)))")
        }
        if let video = record.video {
            let path = video.removed == nil ? video.path : nil
            lines.append("Video      \(path.map { "\(reader.tree.root.path)/\($0)" } ?? video.url)")
        }
        if let missing = record.missing { lines.append("Missing    \(missing.reason)") }
        if let permalink = entry.permalink { lines.append("Article    \(permalink)") }
        return lines.joined(separator: "\n") + "\n"
    }
}
