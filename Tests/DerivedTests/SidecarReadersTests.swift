import APOD
import Glibc
import JSON
import MediaFormat
import Mirror
import PictureSamples
import Platform
import TestSupport
import Testing

/// exiftool reads what the mirror writes.
@Suite(.timeLimit(.minutes(10))) struct SidecarReadersTests {
    private static func has(_ tool: String) -> Bool {
        unsafe system("command -v \(tool) >/dev/null 2>&1") == 0
    }

    /// Texts with everything that XML, RDF or a shell could take for something else.
    private static let awkward =
        "M31: <Nebula> & \"Quoted\" ]]> 'x' &amp; <!-- no --> \u{1F30C} 天の川 \u{7}\u{0}\u{FFFE}\u{85}\t\u{202E}end"
    private static let legal =
        "M31: <Nebula> & \"Quoted\" ]]> 'x' &amp; <!-- no --> \u{1F30C} 天の川 \u{85}\t\u{202E}end"

    private func fill(_ mirror: MirrorOfDays) async throws -> String {
        mirror.favorites = [MirrorOfDays.newest]
        let path = try mirror.add(
            MirrorOfDays.newest, Chart(96, 64).jpeg(), .jpeg,
            [
                "title": .string(Self.awkward),
                "explanation": "First.\n\nSecond: \u{201C}it\u{201D}.", "credit": "Ann & Bob <x>",
                "copyright": "Ann", "alt": "A “picture” of a nebula",
                "permalink": "https://apod.nasa.gov/apod/ap261120.html",
                "license": [
                    "name": "CC BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/",
                ],
            ])
        try await mirror.refresh()
        return "\(mirror.root.path)/\(path).xmp"
    }

    /// Runs a command line with the path of the sidecar as `$1`.
    private func run(_ line: String, _ path: String) async throws -> String {
        try await withTemporaryFolder { folder in
            let output = "\(folder)/output"
            let code = unsafe system("f() { \(line); }; f '\(path)' >'\(output)' 2>&1")
            let bytes = try Directory(opening: folder).read("output") ?? []
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(code == 0, "\(text)")
            return text
        }
    }

    @Test(.enabled(if: has("xmllint"))) func xmllintAcceptsASidecar() async throws {
        try await withSidecars { mirror in
            let path = try await fill(mirror)
            #expect(try await run("xmllint --noout --nonet \"$1\"", path) == "")
        }
    }

    @Test(.enabled(if: has("exiftool"))) func exiftoolReadsEveryField() async throws {
        try await withSidecars { mirror in
            let path = try await fill(mirror)

            let output = try await run("exiftool -json -G1 -struct \"$1\"", path)

            let fields = try JSON(parsing: Array(output.utf8)).elements.first
            func text(_ name: String) -> String? {
                let value = fields?[name]
                return value?.string ?? value?.elements.first?.string
            }
            #expect(text("XMP-dc:Title") == Self.legal)
            #expect(text("XMP-dc:Description") == "First.\n\nSecond: \u{201C}it\u{201D}.")
            #expect(text("XMP-dc:Creator") == "Ann & Bob <x>")
            #expect(text("XMP-dc:Rights") == "© Ann")
            #expect(text("XMP-dc:Source") == "https://apod.nasa.gov/apod/ap261120.html")
            #expect(text("XMP-photoshop:Credit") == "Ann & Bob <x>")
            #expect(text("XMP-iptcCore:AltTextAccessibility") == "A “picture” of a nebula")
            #expect(text("XMP-tiff:ImageDescription") == text("XMP-dc:Description"))
            #expect(text("XMP-xmp:CreateDate") == "2026:11:20 12:00:00Z")
            #expect(text("XMP-photoshop:DateCreated") == "2026:11:20 12:00:00Z")
            #expect(fields?["XMP-xmp:Rating"]?.integer == 5)
            #expect(
                text("XMP-xmpRights:WebStatement")
                    == "https://creativecommons.org/licenses/by/4.0/")
            #expect(text("XMP-xmpRights:UsageTerms") == "CC BY 4.0")
        }
    }
}
