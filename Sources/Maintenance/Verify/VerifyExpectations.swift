package import APOD
package import Mirror

/// What favorites and views, whose modules import this one, expect of the tree.
package struct VerifyExpectations: Sendable {
    /// The paths of the pinned pictures, relative to the root.
    package var pins: [Day: String]
    /// Where the pin of a favorite must be; `nil` if none is expected.
    package var expectedPin: @Sendable (Day, _ mediaPath: String) -> String?
    /// What is wrong with the thumbnail of a picture; `nil` if nothing is.
    package var thumbnail: @Sendable (PictureRecord, _ contents: [UInt8]) -> VerifyFinding.Problem?
    /// The findings that concern favorites: records and links.
    package var favorites: @Sendable () -> [VerifyFinding]

    package init(
        pins: [Day: String] = [:],
        expectedPin: @escaping @Sendable (Day, String) -> String? = { _, _ in nil },
        thumbnail: @escaping @Sendable (PictureRecord, [UInt8]) -> VerifyFinding.Problem? = {
            _, _ in nil
        },
        favorites: @escaping @Sendable () -> [VerifyFinding] = { [] }
    ) {
        self.pins = pins
        self.expectedPin = expectedPin
        self.thumbnail = thumbnail
        self.favorites = favorites
    }
}
