internal import APOD
internal import Platform

/// Entries of NASA's own pictures, with titles and texts for trying the mirror.
struct EntryGenerator {
    let seed: UInt64
    /// In pixels; `nil` means that of each picture.
    let size: (width: Int, height: Int)?
    let extras: Archive.Extras

    func entry(of day: Day) -> SimulatedEntry {
        var random = random(for: day)
        let picture = RealPicture.numbered(drawing(of: day, .jpeg).seed)
        return SimulatedEntry(
            day: day, title: title(of: day, picture, &random),
            explanationHTML: explanation(picture, &random),
            credit: picture.credit.replacing(
                "NASA", with: "<a href=\"https://www.nasa.gov/\">NASA</a>"),
            copyright: extras.contains(.oddities) && day.number % 10 == 4 ? "Ada Example" : nil,
            alt: random.float() < 0.7 ? picture.scene : nil, media: media(of: day, picture.subject))
    }

    private func random(for day: Day) -> SplitMix64 {
        SplitMix64(seed: seed &* 0x9e37_79b9_7f4a_7c15 &+ UInt64(day.number))
    }

    private func title(
        of day: Day, _ picture: RealPicture, _ random: inout SplitMix64
    ) -> String {
        if extras.contains(.awkwardTitles), day.number % 10 == 7 {
            return SampleText.awkwardTitles[day.number / 10 % SampleText.awkwardTitles.count]
        }
        return random.pick(SampleText.titles).replacing("*", with: picture.subject)
    }

    private func explanation(_ picture: RealPicture, _ random: inout SplitMix64) -> String {
        let link = "<a href=\"https://science.nasa.gov/apod/archive/\">\(picture.subject)</a>"
        let sentences = SampleText.sentences.shuffled(using: &random).prefix(3)
        let text = sentences.joined(separator: " ").replacing("*", with: link)
        return """
            \(picture.scene) \(text)<br><br><strong>Tomorrow's picture: </strong>\
            \(random.pick(SampleText.tomorrow))
            """
    }

    private func media(of day: Day, _ subject: String) -> SimulatedMedia {
        let picture = picture(of: day, subject)
        switch day.number % 10 {
        case 5 where extras.contains(.videos):
            let id = youTubeID(day)
            return .iframe(
                src: (day.number % 20 == 5 ? "https:" : "") + "//www.youtube.com/embed/\(id)?rel=0",
                poster: poster(of: day, name: "\(id)_hqdefault.jpg", at: "/vi/\(id)/hqdefault.jpg"))
        case 6 where extras.contains(.videos):
            let video = SimulatedPicture(
                name: name(day, subject, "mp4"), source: .mp4("\(day) \(seed)"))
            return .videoFile(video, poster: poster(of: day, name: name(day, subject, "jpg")))
        case 0 where extras.contains(.oddities): return .lost
        case 1 where extras.contains(.oddities): return .other
        case 2 where extras.contains(.oddities): return .markupOnly(picture)
        default: return .picture(picture)
        }
    }

    private func picture(of day: Day, _ subject: String) -> SimulatedPicture {
        let format: Drawing.Format =
            switch day.number % 10 {
            case 3 where extras.contains(.formats): .png
            case 4 where extras.contains(.formats): .gif
            default: .jpeg
            }
        let drawing = drawing(of: day, format)
        let reduced = drawing.fitting(
            width: max(1, drawing.width / 2), height: max(1, drawing.height / 2))
        let isReduced = extras.contains(.oddities) && day.number % 10 == 8
        let isUnannounced = extras.contains(.unannouncedSizes) && day.number % 10 == 9
        return SimulatedPicture(
            name: name(day, subject, format.rawValue), source: .drawn(drawing),
            reduced: isReduced ? .drawn(reduced) : nil, announcesSize: !isUnannounced)
    }

    private func poster(of day: Day, name: String, at path: String? = nil) -> SimulatedPicture {
        SimulatedPicture(
            name: name, source: .drawn(drawing(of: day, .jpeg)),
            v1Paths: path.map { [$0] } ?? [])
    }

    private func drawing(of day: Day, _ format: Drawing.Format) -> Drawing {
        // Consecutive days have different pictures.
        let number = UInt64(day.number) &+ seed &* 1_000_003
        let (width, height) = size ?? RealPicture.numbered(number).size
        return Drawing(seed: number, width: width, height: height, format: format)
    }

    /// `Phobos` as `Phobos_20.jpg`, which no other day of the month has.
    private func name(_ day: Day, _ subject: String, _ suffix: String) -> String {
        let letters = subject.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return "\(letters)_\(day.day).\(suffix)"
    }

    private func youTubeID(_ day: Day) -> String {
        var random = random(for: day)
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
        return String((0..<11).map { _ in random.pick(letters) })
    }
}
