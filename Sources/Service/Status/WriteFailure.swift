internal import Mirror
package import Platform

/// A failure to write records, thumbnails or views, or to repair files.
package struct WriteFailure: Hashable, Sendable {
    /// The sentence to log: `cannot update the gallery: no space left on device`.
    package let text: String
    /// `nil` if no system call failed.
    package let error: SystemError?

    /// The sentence, and what to do if the cause is one that `tree` has a remedy for.
    func advice(in tree: Tree) -> String {
        guard let error, let remedy = tree.remedy(for: error) else { return text }
        return "\(text); \(remedy)"
    }

    /// The failure because of which not all favorites could be read or recorded.
    static func ofFavorites(_ error: any Error) -> WriteFailure {
        WriteFailure(text: "cannot record all favorites: \(error)", error: error as? SystemError)
    }
}
