/// A file of the simulated NASA: its name, its bytes, and where the older feed has it.
package struct SimulatedPicture: Hashable, Sendable {
    /// The last part of its address, as `M31_Hubble_2048.jpg`; the extension may lie.
    package var name: String
    package var source: PictureSource
    /// What is served in place of it by `/dynamicimage/` without a size, and where the older feed's
    /// page shows it; `nil` means the same bytes.
    package var reduced: PictureSource?
    /// Whether the address tells the natural size; otherwise it has `w=0&h=0`.
    package var tellsSize: Bool
    /// The paths of the older feed: the large picture first, then what its page shows.
    ///
    /// Empty means `/apod/image/YYMM/NAME`.
    package var legacyPaths: [String]

    package init(
        name: String, source: PictureSource, reduced: PictureSource? = nil, tellsSize: Bool = true,
        legacyPaths: [String] = []
    ) {
        self.name = name
        self.source = source
        self.reduced = reduced
        self.tellsSize = tellsSize
        self.legacyPaths = legacyPaths
    }
}
