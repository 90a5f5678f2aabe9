import APOD
import Glibc
import Platform
import Simulator

/// A simulated NASA in a process of its own, so that all who are measured meet the same server.
final class Server {
    /// The word that makes this program the server.
    static let verb = "serve"

    /// The address of the feed.
    let feed: String
    private let origin: String
    private let archive: Archive
    private let process: pid_t
    private let line: FileDescriptor

    /// Starts to serve the files of `directory`, each as the picture of a day.
    init(_ directory: String) throws {
        archive = try Self.archive(of: directory)
        var ends: [CInt] = [0, 0]
        try retryingInterrupts("socketpair", path: Self.verb) {
            unsafe socketpair(
                AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        }
        line = FileDescriptor(owning: ends[0])
        let other = FileDescriptor(owning: ends[1])
        process = try spawn(
            "/proc/self/exe", [Self.verb, directory], [],
            (input: other.rawValue, output: other.rawValue, error: 2))
        _ = consume other
        origin = try Self.answer(on: line)
        feed = try Self.answer(on: line)
    }

    deinit {
        kill(process, SIGTERM)
        waitpid(process, nil, 0)
    }

    /// The requests since the last call.
    func requests() throws -> Int {
        try line.write([UInt8(ascii: "\n")], path: Self.verb)
        return Int(try Self.answer(on: line)) ?? 0
    }

    /// The address of each picture, and the name of its file.
    var pictures: [(address: String, name: String)] {
        archive.entries.values.compactMap { entry in
            guard case .picture(let picture) = entry.media else { return nil }
            return (origin + entry.originalPath(of: picture), picture.name)
        }
    }

    /// What the new process does: it serves, and answers each line with the number of requests.
    static func serve(_ directory: String) throws {
        let simulator = try Simulator(archive(of: directory))
        Output.standard.write("\(simulator.origin)\n\(simulator.basicAddress)\n")
        while readLine() != nil {
            Output.standard.write("\(simulator.requests.count)\n")
            simulator.resetLog()
        }
    }

    /// The files of `directory` as pictures of the first days that there were.
    private static func archive(of directory: String) throws -> Archive {
        let count = try Folder(opening: directory).names().count
        var newest = Day.first
        for _ in 0..<max(count - 1, 0) {
            repeat { newest = newest.advanced(by: 1) } while Day.neverPublished.contains(newest)
        }
        return try .files(directory, newest: newest)
    }

    private static func answer(on line: borrowing FileDescriptor) throws -> String {
        var answer: [UInt8] = []
        while answer.last != UInt8(ascii: "\n") {
            var byte: UInt8 = 0
            let count = try retryingInterrupts("read", path: verb) {
                unsafe read(line.rawValue, &byte, 1)
            }
            guard count == 1 else { throw SystemError("read", path: verb, code: EPIPE) }
            answer.append(byte)
        }
        return String(decoding: answer.dropLast(), as: UTF8.self)
    }
}
