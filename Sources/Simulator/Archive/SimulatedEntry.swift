package import APOD

/// What the simulated NASA has for one day; the feeds dress it up in either shape.
package struct SimulatedEntry: Hashable, Sendable {
    package var day: Day
    /// Plain text; the basic feed sends it with entities.
    package var title: String
    /// Markup without the label "Explanation:", which the basic feed puts before it.
    package var explanationHTML: String
    /// Markup that says who made the picture, without a label; `nil` where nobody is named.
    package var credit: String?
    /// Who holds the copyright, plain; `nil` where none is claimed.
    package var copyright: String?
    /// The picture in words.
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
