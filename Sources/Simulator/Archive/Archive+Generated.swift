package import APOD

extension Archive {
    /// What an invented archive has besides pictures in JPEG.
    package struct Extras: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// One day in ten is a PNG, one a GIF.
        package static let formats = Extras(rawValue: 1)
        /// One day in ten is a player on another host, one an MP4.
        package static let videos = Extras(rawValue: 2)
        /// One day in ten has a title that is no name for a file.
        package static let awkwardTitles = Extras(rawValue: 4)
        /// One day in ten has nothing but a reduced copy where its address points.
        package static let reducedCopies = Extras(rawValue: 8)
        /// One day in ten has a stand-in for an address, and its picture in the markup alone.
        package static let placeholders = Extras(rawValue: 16)
        /// One day in ten lost its picture.
        package static let losses = Extras(rawValue: 32)
        /// One day in ten is neither picture nor video.
        package static let others = Extras(rawValue: 64)

        /// What a demonstration shows.
        package static let usual: Extras = [.formats, .videos, .awkwardTitles]
        package static let all: Extras = [
            .usual, .reducedCopies, .placeholders, .losses, .others,
        ]
    }

    /// An invented archive: an entry depends on its day and the seed alone.
    ///
    /// - Parameters:
    ///   - newest: Its last day.
    ///   - days: How many it has, up to `newest`, without those on which NASA published nothing.
    ///   - seed: Another seed is another archive.
    ///   - size: The pictures' in pixels.
    ///   - extras: What there is besides plain pictures.
    /// - Returns: The archive; its pictures are drawn when they are asked for.
    package static func generated(
        newest: Day, days: Int, seed: UInt64 = 1, size: (width: Int, height: Int) = (960, 640),
        extras: Extras = .usual
    ) -> Archive {
        let generator = EntryGenerator(
            seed: seed, width: size.width, height: size.height, extras: extras)
        var entries: [SimulatedEntry] = []
        var day = newest
        while entries.count < days {
            if !Day.neverPublished.contains(day) { entries.append(generator.entry(of: day)) }
            guard day != .first else { break }
            day = day.advanced(by: -1)
        }
        return Archive(entries)
    }
}
