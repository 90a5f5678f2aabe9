import APOD
import Platform
import Simulator

/// A simulator in a helper process: the same server for all measured programs.
final class Server {
    /// The argument that selects this role.
    static let role = "serve"

    /// The address of the feed.
    let feed: String
    let origin: String
    private let archive: Archive
    private let helper: ConnectedProcess

    /// Starts a server for the files of `directory`, each as the picture of a day.
    init(_ directory: String) throws {
        archive = try Self.archive(of: directory)
        helper = try ConnectedProcess(role: Self.role, directory)
        origin = try helper.response()
        feed = try helper.response()
    }

    /// The address of each picture, and the name of its file.
    var pictures: [(address: String, name: String)] {
        archive.entries.values.compactMap { entry in
            guard case .picture(let picture) = entry.media else { return nil }
            return (origin + entry.originalPath(of: picture), picture.name)
        }
    }

    /// Runs the server in the helper process, until its standard input ends.
    static func serve(_ directory: String) throws {
        let simulator = try Simulator(archive(of: directory))
        StandardStream.output.write("\(simulator.origin)\n\(simulator.basicAddress)\n")
        withExtendedLifetime(simulator) { while readLine() != nil {} }
    }

    /// The files of `directory` as pictures of the first days of the archive.
    private static func archive(of directory: String) throws -> Archive {
        let count = try Directory(opening: directory).names().count
        var newest = Day.first
        for _ in 0..<max(count - 1, 0) {
            repeat { newest = newest.advanced(by: 1) } while Day.neverPublished.contains(newest)
        }
        return try .files(directory, newest: newest)
    }
}
