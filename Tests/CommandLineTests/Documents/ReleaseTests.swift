import Platform
import TestSupport
import Testing

extension WholeProgram {
    /// What a release is made by, and the repository that it makes.
    @Suite(.timeLimit(.minutes(10))) struct ReleaseTests {
        // MARK: The workflow

        /// Each job may do what it names, the one with the code of all libraries and tests may not write, no step keeps
        /// the token, and each action is named by its commit: a tag can be moved to another one.
        @Test func noStepOfTheReleaseMayDoMoreThanItNeeds() throws {
            let text = try Document(".github/workflows/release.yml").text
            let start = try #require(text.firstRange(of: "\njobs:\n"))
            let list = text[start.upperBound...]
            let starts = list.matches(of: #/(?m)^  [a-z-]+:$/#).map(\.range.lowerBound)
            let jobs = zip(starts, starts.dropFirst() + [list.endIndex]).map { list[$0..<$1] }
            let actions = text.matches(of: #/uses: *(.*)/#).map(\.1)

            #expect(text.contains("\npermissions: {}\n") && jobs.count == 2 && actions.count > 4)
            for job in jobs {
                #expect(job.contains("\n    permissions:\n"), "\(job)")
                #expect(!job.contains("make test") || !job.contains("write"), "\(job)")
                for step in job.split(separator: "\n      - ")
                where step.hasPrefix("uses: actions/checkout@") {
                    #expect(step.contains("persist-credentials: false"), "\(step)")
                }
            }
            for action in actions {
                #expect(
                    action.wholeMatch(of: #/[a-z-]+\/[a-z-]+@[0-9a-f]{40} # v[0-9.]+/#) != nil,
                    "\(action)")
            }
        }

        // MARK: Docker Compose

        @Test(arguments: [
            ("https://github.com/Ada/apod-mirror", "ghcr.io/ada/apod-mirror:1.2.3"),
            ("https://example.org/apod-mirror", "apod-mirror:1.2.3"),
        ])
        func theComposeFileOfAReleaseNamesItsImage(homepage: String, image: String) async throws {
            let ending = try await Program(
                ["\(sourceTree)/.install/release/dist", "compose", "1.2.3"],
                environment: ["PATH": "/usr/bin:/bin", "HOMEPAGE": homepage]
            ).end()

            let file = try Document(".install/compose.yaml").text
            #expect(ending.code == 0, "\(ending)")
            #expect(
                ending.output == file.replacing("image: apod-mirror\n", with: "image: \(image)\n"))
        }

        @Test func theDocumentShowsTheWholeComposeFile() throws {
            let file = try Document(".install/compose.yaml").text.split(separator: "\n")
            let text = try Document("docs/docker.md").text

            let block = try #require(text.firstMatch(of: #/(?s)```yaml\n(.*?)```/#)).1
            // Its first line says what to do with it.
            #expect(block.split(separator: "\n") == Array(file.dropFirst()))
        }

        /// A setting behind “# ” is beside the others once these two characters are gone.
        @Test func aCommentedSettingOfTheComposeFileHasTheColumnOfTheOthers() throws {
            let lines = try Document(".install/compose.yaml").text.split(separator: "\n")
            let setting = #/^( *)(?:# )?APOD_MIRROR_[A-Z_]+: /#
            let columns = lines.compactMap { $0.firstMatch(of: setting)?.1.count }

            #expect(columns.count == 2 && Set(columns).count == 1, "\(columns)")
        }

        // MARK: The repository

        /// Programs of Debian that the script calls, with one package and a key of any name.
        private static let stubs = #"""
            cd "$1" && mkdir bin dist && echo package > dist/x.deb
            printf '#!/bin/sh\nprintf "Package: x\\nArchitecture: amd64\\nDescription: y\\n"' > bin/dpkg-scanpackages
            cat > bin/gpg <<'END'
            #!/bin/sh
            while [ $# -gt 0 ]; do
                [ "$1" != --output ] || exec touch "$2"
                shift
            done
            echo "-----BEGIN PGP PUBLIC KEY BLOCK-----"
            END
            chmod 755 bin/*
            """#

        /// Makes the repository; returns the text of its apod-mirror.sources, `nil` if there is none.
        private func sources(_ environment: [String: String]) async throws -> String? {
            try await withTemporaryFolder { folder in
                let stubs = try await Program.run(["sh", "-c", Self.stubs, "sh", folder])
                #expect(stubs.code == 0, "\(stubs)")
                let place = ["PATH": "\(folder)/bin:/usr/bin:/bin", "SOURCE_DATE_EPOCH": "0"]
                let ending = try await Program(
                    ["\(sourceTree)/.install/release/index", "\(folder)/dist"],
                    environment: place.merging(environment) { $1 }
                ).end()
                #expect(ending.code == 0, "\(ending)")
                return try Directory(opening: folder).read("dist/apod-mirror.sources").map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
        }

        @Test func theRepositoryIsTrustedByItsKeyOnly() async throws {
            let signed = try #require(
                try await sources(["GPG_KEY": "k", "HOMEPAGE": "https://example.org/apod-mirror"]))
            let unsigned = try await sources(["HOMEPAGE": "https://example.org/apod-mirror"])

            #expect(signed.contains("Signed-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----"))
            #expect(!signed.contains("Trusted"))
            #expect(
                signed.contains("URIs: https://example.org/apod-mirror/releases/latest/download"))
            #expect(unsigned == nil)
        }
    }
}
