internal import APOD
internal import Glibc
internal import JSON
internal import Platform

/// Converts real entries to simulated ones with local media.
struct RealArchive {
    /// The directory with `image/...`, as in the URLs of the pictures.
    let pictures: Directory?

    /// Converts an entry of the v1 feed as NASA sent it; `nil` if `real` is none.
    func entry(_ real: JSON) -> SimulatedEntry? {
        guard let day = real["date"]?.string.flatMap({ Day(iso: $0) }),
            let title = real["title"]?.string, let explanation = real["explanation"]?.string,
            let mediaType = real["media_type"]?.string
        else { return nil }
        return SimulatedEntry(
            day: day, title: title, explanationHTML: FeedMarkup.escaped(explanation),
            copyright: real["copyright"]?.string, media: media(of: real, mediaType, day))
    }

    private func media(of real: JSON, _ mediaType: String, _ day: Day) -> SimulatedMedia {
        guard let url = real["url"]?.string else { return .other }
        guard mediaType == "image" else {
            let id = url.split(separator: "?")[0].split(separator: "/").last ?? "page"
            return .iframe(src: url, poster: poster(of: day, String(id)))
        }
        return .picture(picture(shown: url, large: real["hdurl"]?.string ?? url, day))
    }

    private func picture(shown: String, large: String, _ day: Day) -> SimulatedPicture {
        let paths = [Self.path(of: large), Self.path(of: shown)]
        let name = paths[0].split(separator: "/").last.map(String.init) ?? "\(day)"
        var source = source(at: paths[0], day)
        var shown = paths[1] == paths[0] ? nil : self.source(at: paths[1], day)
        // The real smaller picture instead of a generated larger one.
        if case .drawn = source, let real = shown, case .file = real {
            (source, shown) = (real, nil)
        }
        return SimulatedPicture(
            name: name.trimmingTrailingBlanks, source: source, reduced: shown,
            announcesSize: false, v1Paths: paths)
    }

    private func poster(of day: Day, _ id: String) -> SimulatedPicture {
        SimulatedPicture(
            name: "\(id)_hqdefault.jpg", source: .drawn(drawing(of: day, .jpeg)),
            v1Paths: ["/vi/\(id)/hqdefault.jpg"])
    }

    private func source(at path: String, _ day: Day) -> PictureSource {
        if let file = file(at: path) { return .file(path: file) }
        let comment = "\(day) \(path)"
        return switch path.trimmingTrailingBlanks.split(separator: ".").last?.lowercased() {
        case "mp4": .mp4(comment)
        case "mov", "mpg", "wmv": .bytes(Array("no picture: \(comment)".utf8))
        case "png": .drawn(drawing(of: day, .png))
        case "gif": .drawn(drawing(of: day, .gif))
        default: .drawn(drawing(of: day, .jpeg))
        }
    }

    private func drawing(of day: Day, _ format: Drawing.Format) -> Drawing {
        Drawing(seed: UInt64(day.number), width: 320, height: 240, format: format)
    }

    /// The local file for a path; `nil` if there is none.
    private func file(at path: String) -> String? {
        guard let pictures, path.hasPrefix(Self.root) else { return nil }
        let relative = path.dropFirst(Self.root.count).trimmingTrailingBlanks
        guard (try? pictures.status(relative))??.kind == .file else { return nil }
        return "\(pictures.path)/\(relative)"
    }

    private static let root = "/apod/"

    /// `https://apod.nasa.gov/apod/image/e_lens.gif` as `/apod/image/e_lens.gif`; of another host,
    /// its name comes first.
    private static func path(of address: String) -> String {
        let parts = address.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return address }
        let rest = parts[2]
        return rest.hasPrefix("apod.nasa.gov/")
            ? "/" + rest.dropFirst("apod.nasa.gov/".count) : "/\(rest)"
    }
}

extension Archive {
    /// An archive from entries in the shape of the v1 feed, one a line.
    ///
    /// Pictures are the files of `pictures`, as `image/...` like in their URLs; missing ones are drawn.
    /// Players of other hosts keep their addresses.
    ///
    /// - Throws: `SystemError` if a file cannot be read, ``ArchiveError`` if a line is no entry.
    package static func real(entries path: String, pictures: String? = nil) throws -> Archive {
        let file = try FileDescriptor(opening: path, O_RDONLY)
        let bytes = try file.readToEnd(limit: 1 << 30, path: path)
        let archive = RealArchive(pictures: try pictures.map { try Directory(opening: $0) })
        var entries: [SimulatedEntry] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
            guard let real = try? JSON(parsing: Array(line)), let entry = archive.entry(real)
            else { throw ArchiveError(path: path, line: index + 1) }
            entries.append(entry)
        }
        return Archive(entries)
    }
}

/// A line of a file is not an entry.
package struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
    package let path: String
    package let line: Int

    package var description: String {
        "\(path), line \(line), is no entry as NASA's older feed sends it"
    }
}
