internal import Platform

/// The folder that holds `Package.swift`.
package let sourceTree =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

/// Real entries, responses and pictures, which only some developers have.
package enum RealData {
    /// The directory, `nil` if there is none: `APOD_MIRROR_REAL_DATA`, or `../shared/apod`.
    package static let path: String? = [
        processEnvironment()["APOD_MIRROR_REAL_DATA"], "\(sourceTree)/../shared/apod",
    ].compactMap(\.self).first { (try? Directory(opening: "\($0)/v2")) != nil }

    /// Of how many days a test takes one: a debug build takes minutes for all of them, which only a developer who names
    /// the directory waits for.
    package static let step = processEnvironment()["APOD_MIRROR_REAL_DATA"] == nil ? 16 : 1

    /// The folder of its pictures.
    package static var pictures: String? { path.map { "\($0)/images" } }
}
