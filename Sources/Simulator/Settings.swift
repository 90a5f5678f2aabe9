package import APOD

extension Simulator {
    /// The settings of a simulated NASA.
    package struct Settings: Sendable {
        /// What the v1 feed sends.
        package enum V1Answers: Hashable, Sendable {
            case v1
            /// Entries in the shape of the basic feed, as NASA may send them after 2026-12-01.
            case v2shape
            /// The logo for every date, as NASA has sent since 2026-09-29.
            case placeholder
        }

        /// The enabled feeds; others respond with 404.
        package var shapes: Set<FeedKind>
        package var v1Answers: V1Answers
        /// The v1 feed responds with 500 for these days and for ranges that contain one.
        package var badDays: Set<Day>
        /// Whether files have an ETag and a modification time.
        package var validators: Bool
        /// Whether a page past the end is an empty list instead of an error.
        package var emptyPagePastEnd: Bool

        package init(
            shapes: Set<FeedKind> = [.basic, .v1], v1Answers: V1Answers = .v1,
            badDays: Set<Day> = [], validators: Bool = true, emptyPagePastEnd: Bool = false
        ) {
            self.shapes = shapes
            self.v1Answers = v1Answers
            self.badDays = badDays
            self.validators = validators
            self.emptyPagePastEnd = emptyPagePastEnd
        }
    }
}
