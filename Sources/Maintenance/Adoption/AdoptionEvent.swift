package import APOD
package import Platform

/// What an adoption does with one file, whose path is relative to the directory of the source, or to the root of the mirror
/// if it cannot be read there.
package enum AdoptionEvent: Hashable, Sendable {
    /// The file becomes, or would become, the picture of `day`.
    case adopted(path: String, day: Day, bytes: Int)
    /// The mirror has a picture of `day`, which stays; `differs` if the file is known to be another picture.
    case present(path: String, day: Day, differs: Bool)
    case unrecognized(path: String, reason: String)
    case failed(path: String, error: SystemError)
}
