import Platform
import TestSupport

/// Real pictures of a developer who has them.
enum RealPictures {
    /// Their directory, `nil` if there is none.
    static var folder: String? { RealData.pictures }

    /// All files below `folder`, relative to it.
    static func paths(in folder: Directory) throws -> [String] {
        try folder.textNames().sorted().flatMap { name in
            guard let below = try? folder.folder(name) else { return [name] }
            return try paths(in: below).map { "\(name)/\($0)" }
        }
    }
}
