/// The media of a day, and how NASA describes them.
package enum SimulatedMedia: Hashable, Sendable {
    case picture(SimulatedPicture)
    /// A file on NASA's host; a placeholder replaces a missing poster.
    case videoFile(SimulatedPicture, poster: SimulatedPicture? = nil)
    /// A player on another host.
    case iframe(src: String, poster: SimulatedPicture? = nil)
    /// Lost in the migration of 2026: the URL of a placeholder, and empty markup.
    case lost
    /// A page that is neither picture nor video, without a URL.
    case other
    /// A picture that only the markup links; the URL is that of a placeholder, as in most early years.
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
