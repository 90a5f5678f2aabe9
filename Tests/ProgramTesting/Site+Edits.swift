package import APOD
import Simulator

/// Edits by NASA of mirrored days.
extension Site {
    /// Replaces the entry of the day `age` days ago by a video with a poster.
    package func addVideo(age: Int = 2) throws {
        simulator.publish(
            SimulatedEntry(
                day: Self.day(age), title: "A Comet", explanationHTML: "It moves.",
                media: .videoFile(
                    SimulatedPicture(name: "comet.mp4", source: .bytes(Self.film("first"))),
                    poster: SimulatedPicture(name: "poster.jpg", source: Self.drawn(1)))))
    }

    /// Edits the newest four days: a picture of the same type, one of another type, picture and video, text.
    package func editAll() throws {
        var entries = (0..<4).compactMap { simulator.entry(of: Self.day($0)) }
        entries[0].media = .picture(SimulatedPicture(name: "b.jpg", source: Self.drawn(7)))
        entries[1].media = .picture(SimulatedPicture(name: "b.png", source: Self.drawn(8, .png)))
        entries[2].media = .videoFile(
            SimulatedPicture(name: "comet2.mp4", source: .bytes(Self.film("second"))),
            poster: SimulatedPicture(name: "poster2.jpg", source: Self.drawn(9)))
        entries[3].title = "Quite Another Title"
        entries.forEach { simulator.publish($0) }
    }

    /// Replaces the drawing of `day` by what looks like a small copy of it.
    package func publishASmallCopy(of day: Day) throws {
        try simulator.edit(day) { entry in
            guard case .drawn(let drawing)? = entry.media.files.first?.source else { return }
            let small = drawing.fitting(width: drawing.width / 2, height: drawing.height / 2)
            entry.media = .picture(
                SimulatedPicture(name: "small.jpg", source: .drawn(small), announcesSize: false))
        }
    }

    private static func drawn(_ seed: Int, _ format: Drawing.Format = .jpeg) -> PictureSource {
        .drawn(Drawing(seed: UInt64(seed), width: 64, height: 40, format: format))
    }

    private static func film(_ words: String) -> [UInt8] {
        func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
            [0, 0, 0, UInt8(content.count + 8)] + Array(name.utf8) + content
        }
        return box("ftyp", Array("isom".utf8) + [0, 0, 2, 0]) + box("moov", [])
            + box("mdat", Array(words.utf8))
    }
}
