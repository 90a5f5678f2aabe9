internal import Mirror
package import Platform

/// A failure to write records, thumbnails or views.
package struct WriteFailure: Hashable, Sendable {
    /// The sentence to log: `cannot update the gallery: no space left on device`.
    package let text: String
    /// `nil` if no system call failed.
    package let error: SystemError?

    func advice(in tree: Tree) -> String {
        error.flatMap(tree.remedy).map { "\(text); \($0)" } ?? text
    }
}

extension WriteFailure {
    init(ofFavorites error: SystemError) {
        self.init(text: "cannot record all favorites: \(error)", error: error)
    }
}
