/// A group of files that are made from the tree, and can be made again at any time, such as the gallery or `latest.jpg`.
///
/// `ViewService` updates all views after each change of the tree, in the order of ``allViews``. A new view is a type that
/// conforms to this protocol, and one more element of ``allViews``.
package protocol View: Sendable {
    /// The name in messages, such as “the gallery”.
    static var title: String { get }
    /// Whether the view is not updated, so that its files stay as they are, while the favorites cannot be read.
    static var showsFavorites: Bool { get }
    /// Makes the view, or `nil` if the settings do not ask for it and its files stay as they are.
    init?(_ settings: ViewSettings)

    /// Writes the files that are outdated, and removes those that are obsolete, only through ``ViewFiles``.
    ///
    /// The files that were written before an error stay.
    func update(_ input: ViewInput) async throws -> ViewOutcome
}

extension View {
    package static var showsFavorites: Bool { true }
}

/// All views, each of which may show files of the views before it.
///
/// ``LatestRecordView`` announces a day whose thumbnail, gallery page and feed entry are there. ``SidecarsView`` takes longest.
package let allViews: [any View.Type] = [
    ThumbnailsView.self,
    GalleryView.self,
    FeedView.self,
    WallpapersView.self,
    V1View.self,
    LatestPictureView.self,
    LatestRecordView.self,
    SidecarsView.self,
]

/// The settings of all views.
package struct ViewSettings: Sendable {
    /// The URL of the root on a web server, with a slash at its end; `nil` for relative addresses.
    package var baseURL: String?
    /// The number of newest days in `v1/`; `nil` for 400 if there is a base URL, else none.
    package var v1Days: Int?
    package var wallpapers = WallpaperOptions()
    package var makesThumbnails = true
    package var writesSidecars = false

    package init() {}
}
