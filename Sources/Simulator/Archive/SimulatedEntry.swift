package import APOD

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

    package init(
        day: Day, title: String, explanationHTML: String, credit: String? = nil,
        copyright: String? = nil, alt: String? = nil, media: SimulatedMedia
    ) {
        self.day = day
        self.title = title
        self.explanationHTML = explanationHTML
        self.credit = credit
        self.copyright = copyright
        self.alt = alt
        self.media = media
    }
}
