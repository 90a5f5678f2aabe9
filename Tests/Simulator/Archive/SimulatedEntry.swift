package import APOD
package import JSON

/// The entry of a day; each feed sends it in its own shape.
package struct SimulatedEntry: Hashable, Sendable {
    package var day: Day
    /// Plain text; the basic feed sends it with entities.
    package var title: String
    /// Markup without the label "Explanation:", which the basic feed puts before it.
    package var explanationHTML: String
    /// Markup that names the creator of the picture, without a label; `nil` for none.
    package var credit: String?
    /// The holder of the copyright as plain text; `nil` for none.
    package var copyright: String?
    /// The description of the picture.
    package var alt: String?
    package var media: SimulatedMedia
    /// When the article was last changed, as its page says: ISO 8601; `nil` for its day.
    package var modified: String?
    /// What the basic feed sends for the entry, as it was recorded; `nil` for what the other properties say.
    package var answer: JSON?

    package init(
        day: Day, title: String, explanationHTML: String, credit: String? = nil,
        copyright: String? = nil, alt: String? = nil, media: SimulatedMedia,
        modified: String? = nil
    ) {
        self.day = day
        self.title = title
        self.explanationHTML = explanationHTML
        self.credit = credit
        self.copyright = copyright
        self.alt = alt
        self.media = media
        self.modified = modified
    }
}

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
    /// Any markup in the article, with files that it may name; the entry has no media type, and a placeholder.
    case markup(String, files: [SimulatedPicture])

    /// The picture, or a video's poster.
    var picture: SimulatedPicture? {
        switch self {
        case .picture(let picture), .markupOnly(let picture): picture
        case .videoFile(_, let poster), .iframe(_, let poster): poster
        case .lost, .other, .markup: nil
        }
    }

    /// Every file of the day.
    package var files: [SimulatedPicture] {
        switch self {
        case .videoFile(let video, let poster): [video, poster].compactMap(\.self)
        case .markup(_, let files): files
        default: [picture].compactMap(\.self)
        }
    }

    package var isVideo: Bool {
        switch self {
        case .videoFile, .iframe: true
        default: false
        }
    }
}
