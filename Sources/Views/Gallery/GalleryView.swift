internal import APOD
internal import Mirror

/// The gallery: `index.html` in the root, and in `gallery/` the pages of the years, the favorites and the search.
///
/// A page is made again when the digest in its last line is not that of what it is made from, and written atomically if
/// its bytes change. A user's own file of the same name is never replaced.
struct GalleryView: View {
    static let title = "the gallery"
    static let ownedPaths = [OwnedPath("index.html"), OwnedPath(Layout.gallery)]

    init(_ settings: ViewSettings) {}

    func update(_ input: ViewInput) async throws -> ViewOutcome {
        var build = try GalleryBuild(input)
        try await build.run()
        return build.outcome
    }
}
