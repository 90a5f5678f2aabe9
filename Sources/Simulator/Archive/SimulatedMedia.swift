/// The media of one day, and in which of NASA's ways they are told of.
package enum SimulatedMedia: Hashable, Sendable {
    case picture(SimulatedPicture)
    /// A file on NASA's own host; without a poster there is a stand-in in its place.
    case videoFile(SimulatedPicture, poster: SimulatedPicture? = nil)
    /// A player on somebody else's host.
    case iframe(src: String, poster: SimulatedPicture? = nil)
    /// Lost in the move of 2026: a stand-in for an address, and empty markup.
    case lost
    /// A page that is neither picture nor video: no address at all.
    case other
    /// A picture that only the markup knows; the address is a stand-in, as in most of the early years.
    case markupOnly(SimulatedPicture)

    /// The picture, or a video's poster.
    var picture: SimulatedPicture? {
        switch self {
        case .picture(let picture), .markupOnly(let picture): picture
        case .videoFile(_, let poster), .iframe(_, let poster): poster
        case .lost, .other: nil
        }
    }

    /// Every file of the day.
    package var files: [SimulatedPicture] {
        guard case .videoFile(let video, let poster) = self else {
            return picture.map { [$0] } ?? []
        }
        return [video] + (poster.map { [$0] } ?? [])
    }

    package var isVideo: Bool {
        switch self {
        case .videoFile, .iframe: true
        default: false
        }
    }
}
