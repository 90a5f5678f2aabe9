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
    package var days: [Day] { entries.keys.sorted() }
}

extension Archive {
    /// Each regular file of a directory as the picture of a day, ordered by name.
    ///
    /// The file with the last name is the picture of `newest`. They are served as they are.
    package static func files(_ path: String, newest: Day) throws(SystemError) -> Archive {
        let folder = try Directory(opening: path)
        var names: [String] = []
        for name in try folder.textNames() where try folder.status(name)?.kind == .file {
            names.append(name)
        }
        let days = publishedDays(names.count, until: newest)
        return Archive(
            zip(names.sorted().reversed(), days).map { name, day in
                SimulatedEntry(
                    day: day, title: name,
                    explanationHTML: "A file named \(FeedMarkup.escaped(name)).",
                    media: .picture(
                        SimulatedPicture(name: name, source: .file(path: "\(path)/\(name)"))))
            })
    }

    /// The last `count` days up to `newest` on which NASA published an entry, newest first.
    private static func publishedDays(_ count: Int, until newest: Day) -> [Day] {
        let days = stride(from: newest, through: Day.first, by: -1)
        return Array(days.lazy.filter { !Day.neverPublished.contains($0) }.prefix(count))
    }
}

extension Archive {
    /// What a generated archive contains besides JPEG pictures.
    package struct Extras: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// One day in ten is a PNG, one a GIF.
        package static let formats = Extras(rawValue: 1)
        /// One day in ten is a player on another host, one an MP4.
        package static let videos = Extras(rawValue: 2)
        /// One day in ten has a title that is not a valid file name.
        package static let awkwardTitles = Extras(rawValue: 4)
        /// The days of ``Archive/notableEntries``, and others with what real days have.
        ///
        /// Of ten days, one has only a reduced copy at its URL; one the URL of a placeholder, where only the
        /// markup links the picture; one has lost its picture; one is neither picture nor video; one has a copyright.
        package static let oddities = Extras(rawValue: 8)
        /// One day in ten has a picture whose size is not announced.
        package static let unannouncedSizes = Extras(rawValue: 16)

        /// The extras of the demo.
        package static let standard: Extras = [
            .formats, .videos, .awkwardTitles, .unannouncedSizes,
        ]
        package static let all: Extras = [.standard, .oddities]
    }

    /// A generated archive: an entry depends only on its day and the seed.
    ///
    /// Days on which NASA published nothing are left out and do not count. A `size` in pixels crops the
    /// pictures.
    package static func generated(
        newest: Day, days: Int, seed: UInt64 = 1, size: (width: Int, height: Int)? = nil,
        extras: Extras = .standard
    ) -> Archive {
        let generator = EntryGenerator(seed: seed, size: size, extras: extras)
        let entries = publishedDays(days, until: newest).map { generator.entry(of: $0) }
        guard extras.contains(.oddities), let oldest = entries.last?.day else {
            return Archive(entries)
        }
        return Archive(entries + notableEntries.filter { (oldest...newest).contains($0.day) })
    }
}
