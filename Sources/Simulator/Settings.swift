package import APOD

extension Simulator {
    /// How the simulated NASA is set up for good.
    package struct Settings: Sendable {
        /// What the v1 address answers.
        package enum V1Answers: Hashable, Sendable {
            case v1
            /// The basic shape, as may be after 2026-12-01.
            case v2shape
            /// The logo for every date, as since 2026-09-29.
            case placeholder
        }

        /// The feeds that there are; the others answer 404.
        package var shapes: Set<FeedKind>
        package var v1Answers: V1Answers
        /// The v1 feed answers 500 for these days, and for every range with one of them.
        package var badDays: Set<Day>
        /// Whether files have an ETag and a modification time.
        package var validators: Bool
        /// Whether a page past the end is an empty list rather than an error.
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
