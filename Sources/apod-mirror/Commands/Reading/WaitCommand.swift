import APOD
import CommandLine
import JSON
import Mirror
import Platform

/// `apod-mirror wait`: waits for the next new picture, and prints its day.
///
/// The daemon replaces `latest.json` when everything else of a new day is published; the kernel reports it.
/// While it waits, no file is open, so that the disk can be unmounted.
struct WaitCommand: Sendable {
    private let arguments: Arguments
    private let isJSON: Bool
    private let timeout: Duration?

    init(_ arguments: Arguments) throws {
        timeout = try arguments.value(
            .timeout, "a time such as 90s, 30m, 12h or 2d", Duration.init(argument:))
        try arguments.printFoundMirror()
        self.arguments = arguments
        isJSON = try arguments.isOn(.json)
    }

    func run(_ signals: UnixSignals?) async throws -> ExitCode {
        try await runInterruptibly(by: signals, "interrupted") { try await wait() }
    }

    private static let file = DerivedFile.latestRecord

    private func wait() async throws -> ExitCode {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        let (watcher, first) = try start()
        if !isJSON {
            let day = first.map { " newer than \($0)" } ?? ""
            StandardStream.error.write("waiting for a picture\(day)\n")
        }
        while true {
            switch try await watcher.next(by: deadline) {
            case .changed:
                let reader = Reader(try arguments.openTree())
                guard let newest = try newest(in: reader),
                    first.map({ newest.record.entry.day > $0 }) ?? true
                else { continue }
                isJSON
                    ? StandardStream.output.write(json: newest.bytes)
                    : StandardStream.output.write(reader.text(of: newest.record))
                return .done
            case .late:
                throw CommandError("no new picture was published within --timeout", .missing)
            case .ended:
                throw CommandError(
                    "\(try arguments.mirror().root) was removed or unmounted", .noMirror)
            }
        }
    }

    /// Starts to watch, and returns the newest day so far.
    private func start() throws -> (NameWatcher, Day?) {
        let reader = Reader(try arguments.openTree())
        do {
            let watcher = try NameWatcher(Self.file.rawValue, in: reader.tree.root)
            return (watcher, try newest(in: reader)?.record.entry.day)
        } catch let error as WatchLimit {
            throw CommandError("cannot wait: \(error)")
        }
    }

    /// The record in `latest.json` and its bytes; `nil` if it does not exist yet.
    private func newest(in reader: Reader) throws -> (record: DayRecord, bytes: [UInt8])? {
        let root = reader.tree.root
        guard try root.status(Self.file.rawValue) != nil else { return nil }
        guard try Self.file.isOwn(in: root), let bytes = try root.read(Self.file.rawValue),
            let record = DayRecord(try JSON(parsing: bytes))
        else {
            throw CommandError(
                "cannot wait: \(root.path)/\(Self.file.rawValue) was not written by the mirror; move it away"
            )
        }
        return (record, bytes)
    }
}
