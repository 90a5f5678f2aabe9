internal import Favorites
package import Maintenance
package import Mirror
package import Platform
internal import Thumbnails

extension VerifyExpectations {
    /// What favorites and views expect of `tree`.
    package init(of tree: Tree) throws(SystemError) {
        let favorites = try FavoriteVerification(of: tree)
        self.init(
            pins: favorites.pins,
            expectedPin: { favorites.expectedPin(of: $0, mediaPath: $1) },
            thumbnail: { Thumbnails.problem(of: $0, contents: $1) },
            favorites: { favorites.findings() })
    }
}

extension Verification {
    /// Verifies the tree of `store`, with what favorites and views expect of it.
    convenience init(of store: Store) throws(SystemError) {
        try self.init(store, expecting: { try VerifyExpectations(of: store.tree) })
    }
}
