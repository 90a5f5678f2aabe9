import Platform

/// Real pictures of a developer who has them.
enum RealPictures {
    /// Where they lie, `nil` where there are none.
    static let folder: String? = {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let places = [processEnvironment()["APOD_MIRROR_REAL_DATA"], "/\(root)/../shared/apod"]
        return places.compactMap(\.self).map { "\($0)/images" }
            .first { (try? Directory(opening: $0)) != nil }
    }()

    /// All files below `folder`, relative to it.
    static func paths(in folder: Directory) throws -> [String] {
        try folder.textNames().sorted().flatMap { name in
            guard let below = try? folder.folder(name) else { return [name] }
            return try paths(in: below).map { "\(name)/\($0)" }
        }
    }
}
