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
            throw reader.missing(day, as: which)
        }
        isJSON
            ? StandardStream.output.write(json: bytes)
            : StandardStream.output.write(reader.text(of: record))
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
}
