internal import APOD
internal import FoundationEssentials
internal import Glibc
internal import Platform

extension Archive {
    /// An archive from entries in the shape of the older feed, one a line.
    ///
    /// All media are here: pictures from `pictures`, which has them as `image/...` like their
    /// addresses, and drawn where it has not. Players of other hosts keep their addresses.
    ///
    /// - Throws: `SystemError` where a file cannot be read, ``ArchiveError`` where a line is no entry.
    package static func real(entries path: String, pictures: String? = nil) throws -> Archive {
        let file = try FileDescriptor(opening: path, O_RDONLY)
        let bytes = try file.readToEnd(limit: 1 << 30, path: path)
        let archive = RealArchive(pictures: try pictures.map(Directory.init(opening:)))
        let decoder = JSONDecoder()
        var entries: [SimulatedEntry] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
            guard let real = try? decoder.decode(RealEntry.self, from: Data(line)),
                let entry = archive.entry(real)
            else { throw ArchiveError(path: path, line: index + 1) }
            entries.append(entry)
        }
        return Archive(entries)
    }
}

/// A line of a file that is no entry.
package struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
    package let path: String
    package let line: Int

    package init(path: String, line: Int) {
        self.path = path
        self.line = line
    }

    package var description: String {
        "\(path), line \(line), is no entry as NASA's older feed sends it"
    }
}
