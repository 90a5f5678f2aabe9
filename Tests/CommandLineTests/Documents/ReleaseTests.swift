import Platform
import TestSupport
import Testing

extension WholeProgram {
    /// What a release is made by, and how people are told to install it.
    @Suite(.timeLimit(.minutes(10))) struct ReleaseTests {
        // MARK: The workflow

        private static func workflow() throws -> String {
            try Document(".github/workflows/release.yml").text
        }

        /// The text of each job.
        private static func jobs() throws -> [Substring] {
            let text = try workflow()
            let start = try #require(text.firstRange(of: "\njobs:\n"))
            let list = text[start.upperBound...]
            let starts = list.matches(of: #/(?m)^  [a-z-]+:$/#).map(\.range.lowerBound)
            return zip(starts, starts.dropFirst() + [list.endIndex]).map { list[$0..<$1] }
        }

        @Test func eachJobOfTheReleaseSaysWhatItMayDo() throws {
            let text = try Self.workflow()
            let jobs = try Self.jobs()

            #expect(text.contains("\npermissions: {}\n"))
            #expect(jobs.count == 2)
            for job in jobs { #expect(job.contains("\n    permissions:\n"), "\(job)") }
            // The one that runs the code of all libraries and tests.
            let build = try #require(jobs.first { $0.contains("make test") })
            #expect(!build.contains("write"))
        }

        @Test func noStepOfTheReleaseKeepsItsToken() throws {
            let steps = try Self.jobs().flatMap { $0.split(separator: "\n      - ").dropFirst() }
                .filter { $0.hasPrefix("uses: actions/checkout@") }

            #expect(steps.count == 2)
            for step in steps { #expect(step.contains("persist-credentials: false"), "\(step)") }
        }

        /// A tag can be moved to another commit.
        @Test func eachActionIsNamedByItsCommit() throws {
            let actions = try Self.workflow().matches(of: #/uses: *(.*)/#).map(\.1)

            #expect(actions.count > 4)
            for action in actions {
                #expect(
                    action.wholeMatch(of: #/[a-z-]+\/[a-z-]+@[0-9a-f]{40} # v[0-9.]+/#) != nil,
                    "\(action)")
            }
        }

        /// Before the build of minutes; whether a release can be made of this tree is another question.
        @Test func aMissingBuilderOfTheImageIsNamedAtTheStart() async throws {
            try await withTemporaryFolder { path in
                // “docker buildx” without the plugin.
                let folder = try Directory(opening: path)
                try AtomicFile.publish(
                    Array("#!/bin/sh\nexit 1\n".utf8), in: folder, as: "docker", through: folder,
                    mode: 0o755)
                for (tool, reason) in [
                    ("\(path)/docker", "\(path)/docker needs its plugin buildx"),
                    ("", "it needs podman, buildah, or docker with its plugin buildx"),
                ] {
                    let ending = try await Program(
                        ["\(sourceTree)/.install/release/dist", "check", "0.0.0"],
                        environment: ["CONTAINERS": tool]
                    ).end()

                    #expect(ending.output.hasPrefix("No image: \(reason)"), "\(ending)")
                    #expect(ending.output.split(separator: "\n").count == 1, "\(ending)")
                }
            }
        }

        /// Before the first release nobody has what is gone or was different.
        @Test func theNotesOfTheFirstReleaseNameNoChange() async throws {
            let notes = try await Program(
                ["\(sourceTree)/.install/release/dist", "notes", "0.0.0"], environment: [:]
            ).end()

            #expect(notes.code == 0 && notes.output.contains("\nThe first version.\n"), "\(notes)")
            for word in ["Gone", "earlier builds", ".md)"] {
                #expect(!notes.output.contains(word), "\(notes)")
            }
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
                let stubs = try await Program(
                    ["sh", "-c", Self.stubs, "sh", folder], environment: [:]
                ).end()
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

        // MARK: Installing

        /// Libraries of libcurl recommend krb5-locales, libldap-common and publicsuffix, which nobody needs here; a package
        /// cannot refuse what the packages that it depends on recommend.
        @Test func eachCommandToInstallLeavesOutWhatIsOnlyRecommended() async throws {
            let places = [
                "README.md", "docs", ".ci", ".debian", ".github", ".install", "systemd",
                "Dockerfile",
                "Makefile", "Sources/Service", "Sources/apod-mirror",
            ]
            let lines = try await Program(
                ["grep", "-rhE", #"apt(-get)? ([a-z-]+ )*install "#]
                    + places.map { "\(sourceTree)/\($0)" }, environment: [:]
            ).end().output.split(separator: "\n").filter { !$0.contains("fail \"") }

            #expect(lines.count > 7)
            for line in lines {
                #expect(
                    line.contains("install --no-install-recommends ")
                        || line.contains("install --yes --no-install-recommends "), "\(line)")
            }
        }

        @Test func whatThePackageNeedsItDependsOn() throws {
            let stanzas = try Document(".debian/control").text.split(separator: "\n\n")
            let stanza = try #require(
                stanzas.first { $0.hasPrefix("Package: apod-mirror\n") })

            #expect(stanza.contains("\nDepends: ca-certificates, "))
            #expect(!stanza.contains("Recommends"))
        }
    }
}
