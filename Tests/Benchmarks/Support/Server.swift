import APOD
import Platform
import Simulator

/// A simulated NASA in a process of its own, so that all who are measured meet the same server.
final class Server {
    /// The word that makes this program the server.
    static let role = "serve"

    /// The address of the feed.
    let feed: String
    let origin: String
    private let archive: Archive
    private let twin: Twin

    /// Starts to serve the files of `directory`, each as the picture of a day.
    init(_ directory: String) throws {
        archive = try Self.archive(of: directory)
        twin = try Twin([Self.role, directory])
        origin = try twin.answer()
        feed = try twin.answer()
    }

    /// The requests since the last call.
    func requests() throws -> Int {
        try twin.ask()
        return Int(try twin.answer()) ?? 0
    }

    /// The address of each picture, and the name of its file.
    var pictures: [(address: String, name: String)] {
        archive.entries.values.compactMap { entry in
            guard case .picture(let picture) = entry.media else { return nil }
            return (origin + entry.originalPath(of: picture), picture.name)
        }
    }

    /// What the other process does: it serves, and answers each line with the number of requests.
    static func serve(_ directory: String) throws {
        let simulator = try Simulator(archive(of: directory))
        StandardStream.output.write("\(simulator.origin)\n\(simulator.basicAddress)\n")
        while readLine() != nil {
            StandardStream.output.write("\(simulator.requests.count)\n")
            simulator.resetLog()
        }
    }

    /// The files of `directory` as pictures of the first days that there were.
    private static func archive(of directory: String) throws -> Archive {
        let count = try Directory(opening: directory).names().count
        var newest = Day.first
        for _ in 0..<max(count - 1, 0) {
            repeat { newest = newest.advanced(by: 1) } while Day.neverPublished.contains(newest)
        }
        return try .files(directory, newest: newest)
    }
}
