import CommandLine
import Platform
import TestSupport
import Testing

@testable import apod_mirror

/// A file that is written from the declarations of commands and options, whole or between two comments.
struct GeneratedFile: CustomTestStringConvertible {
    let path: String
    /// The texts between the comments, in their order.
    let regions: [String]

    var testDescription: String { path }

    static let all = [
        GeneratedFile(
            path: ".install/apod-mirror.1",
            regions: [ManualText.options, ManualText.variables]),
        GeneratedFile(path: "docs/configuration.md", regions: [SettingsTable.text]),
        GeneratedFile(path: ".install/apod-mirror.default", regions: [DefaultFile.text]),
        GeneratedFile(
            path: ".install/completion/apod-mirror.bash", regions: [Completions.bash]),
        GeneratedFile(path: ".install/completion/_apod-mirror", regions: [Completions.zsh]),
        GeneratedFile(
            path: ".install/completion/apod-mirror.fish", regions: [Completions.fish]),
    ]

    /// The file as it is.
    func current() throws -> String {
        let bytes = try #require(try Directory(opening: sourceTree).read(path))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The file as it should be.
    func expected() throws -> String {
        var (lines, regions, isInside) = ([Substring](), regions[...], false)
        for line in try current().split(separator: "\n", omittingEmptySubsequences: false) {
            if line.contains("Written by “make docs” to here") { isInside = false }
            if !isInside { lines.append(line) }
            if line.contains("Written by “make docs” from here") {
                isInside = true
                let region = regions.popFirst()
                let text = try #require(region, "\(path) has more regions")
                lines += text.split(separator: "\n", omittingEmptySubsequences: false)
            }
        }
        try #require(regions.isEmpty && !isInside, "\(path) has fewer regions")
        return lines.joined(separator: "\n")
    }

    func write() throws {
        let text = try expected()
        let (above, name) = path.splitAtLastSlash ?? ("", Substring(path))
        let folder = try Directory(opening: "\(sourceTree)/\(above)")
        try AtomicFile.publish(Array(text.utf8), in: folder, as: String(name), through: folder)
    }
}

extension Option {
    /// The variable of a setting.
    var variable: String { Command.variable(of: self) ?? "" }
}
