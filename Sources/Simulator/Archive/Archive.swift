package import APOD
package import Platform

/// The entries of a simulated NASA, published or not.
package struct Archive: Sendable {
    package private(set) var entries: [Day: SimulatedEntry]

    /// Of two entries for the same day the later one is used.
    package init(_ entries: [SimulatedEntry] = []) {
        self.entries = Dictionary(entries.map { ($0.day, $0) }) { _, later in later }
    }

    /// The days in order.
    package var days: [Day] { entries.keys.sorted { $0.number < $1.number } }
}

extension Archive {
    /// Each regular file of a directory as the picture of a day, ordered by name.
    ///
    /// The file with the last name is the picture of `newest`. They are served as they are, by
    /// sendfile(2).
    package static func files(_ path: String, newest: Day) throws(SystemError) -> Archive {
        let folder = try Directory(opening: path)
        var names: [String] = []
        for name in try folder.textNames() where try folder.status(name)?.kind == .file {
            names.append(name)
        }
        var day = newest
        var entries: [SimulatedEntry] = []
        for name in names.sorted().reversed() {
            while Day.neverPublished.contains(day) { day = day.advanced(by: -1) }
            entries.append(
                SimulatedEntry(
                    day: day, title: name,
                    explanationHTML: "A file named \(FeedMarkup.escaped(name)).",
                    media: .picture(
                        SimulatedPicture(name: name, source: .file(path: "\(path)/\(name)")))))
            guard day != .first else { break }
            day = day.advanced(by: -1)
        }
        return Archive(entries)
    }
}
