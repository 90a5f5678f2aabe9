import APOD
import CommandLine
import FoundationEssentials
import JSON
import Mirror
import Platform
import Service

/// `apod-mirror show DAY|latest|random`: prints a day.
struct ShowCommand {
    private let reader: Reader
    private let which: String
    private let isJSON: Bool
    private let drawsPicture: Bool
    private let environment: [String: String]

    init(_ arguments: Arguments) throws {
        which = arguments.operands[0]
        guard ["latest", "random"].contains(which) || Day(iso: which) != nil else {
            throw CommandError.usage(
                "“\(which)” is not a day; use a date such as 2026-11-20, “latest” or “random”")
        }
        reader = try Reader(arguments)
        isJSON = try arguments.isOn(.json)
        drawsPicture = try !isJSON && !arguments.isOn(.noPicture)
        environment = arguments.environment
    }

    func run() async throws -> ExitCode {
        let day =
            try which == "random"
            ? reader.days().randomElement() : Day(iso: which) ?? reader.newestDay()
        guard let day, let bytes = try reader.bytes(of: day),
            let record = try reader.record(of: day)
        else {
            throw CommandError(
                "\(which) is not in the mirror; “apod-mirror status” lists missing days, “run --since” adds older ones",
                .missing)
        }
        if drawsPicture, let path = thumbnail(of: record.entry.day) {
            await TerminalPicture(of: path, environment: environment)?.draw()
        }
        if isJSON {
            StandardStream.output.write(json: bytes)
        } else {
            StandardStream.output.write(readable(record))
        }
        return .done
    }

    /// The path of the thumbnail; `nil` if there is none.
    ///
    /// Only thumbnails are drawn: the decoders of the drawing tools are not sandboxed, and the original
    /// comes from a server.
    private func thumbnail(of day: Day) -> String? {
        let path = Layout.thumbnail(of: day)
        guard (try? reader.tree.root.status(path))??.kind == .file else { return nil }
        return "\(reader.tree.root.path)/\(path)"
    }

    private func readable(_ record: DayRecord) -> String {
        let entry = record.entry
        let width = min(StandardStream.output.columns ?? 80, 100)
        var lines = ["\(entry.day)  \(entry.title)", ""]
        for paragraph in entry.explanation.split(separator: "\n\n") {
            lines += Self.wrapped(paragraph, to: width) + [""]
        }
        if let copyright = entry.copyright {
            lines.append("Copyright  \(copyright)")
        } else if let credit = entry.credit {
            lines.append("Credit     \(credit)")
        }
        if let picture = record.picture {
            let pixels = picture.width > 0 ? "\(picture.width) x \(picture.height), " : ""
            let size = "\(pixels)\(ByteCount(picture.bytes))"
            lines.append(
                picture.removed.map { "Picture    removed by --keep at \($0.timestamp) (\(size))" }
                    ?? "Picture    \(reader.tree.root.path)/\(picture.path) (\(size))")
        }
        if let video = record.video {
            let path = video.removed == nil ? video.path : nil
            lines.append("Video      \(path.map { "\(reader.tree.root.path)/\($0)" } ?? video.url)")
        }
        if let missing = record.missing { lines.append("Missing    \(missing.reason)") }
        if let permalink = entry.permalink { lines.append("Article    \(permalink)") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func wrapped(_ paragraph: Substring, to width: Int) -> [String] {
        var lines: [String] = []
        for word in paragraph.split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, last.count + word.count < width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
