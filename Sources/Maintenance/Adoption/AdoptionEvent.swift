package import APOD
package import Platform

/// What an adoption does with one file, whose path is relative to the folder that is imported.
///
/// The path of a file or folder of the mirror that cannot be read is relative to the root of the mirror.
package enum AdoptionEvent: Hashable, Sendable {
    /// The file becomes, or would become, the picture of `day`.
    case adopted(path: String, day: Day, bytes: Int)
    /// The mirror has a picture of `day`, which stays; `differs` if the file is known to be another picture.
    case present(path: String, day: Day, differs: Bool)
    case unrecognized(path: String, reason: String)
    case failed(path: String, error: SystemError)
}
