import Platform
import TestSupport
import Testing

extension WholeProgram {
    /// The installer of the portable archive, with files that stand for the programs; `InstallTests` has the real ones.
    @Suite(.timeLimit(.minutes(10))) struct PortableArchiveTests {
        private static let settings = "etc/default/apod-mirror"

        /// Makes an archive in `portable/` of `folder`, and commands in `bin/` that the installer finds first: no root,
        /// and a systemctl that writes its arguments and the names of the installed programs to `calls`.
        private func prepare(_ folder: String) async throws {
            let script = #"""
                set -eu
                cd "$1"
                mkdir -p bin portable/files/bin portable/files/lib/apod-mirror \
                    portable/files/lib/systemd/system portable/files/share/apod-mirror
                cp "$2/.install/release/install.sh" portable
                touch portable/files/bin/apod-mirror portable/files/lib/apod-mirror/apod-mirror-thumbnailer
                cp "$2/systemd/apod-mirror.service" portable/files/lib/systemd/system
                cp "$2/systemd/examples/screen/apod-mirror-screen" portable/files/share
                cp "$2/.install/apod-mirror.default" portable/files/share/apod-mirror/default
                printf '#!/bin/sh\necho 1000\n' > bin/id
                printf '#!/bin/sh\n' > bin/ldd
                cat > bin/systemctl <<'END'
                #!/bin/sh
                echo "$*:" $(ls "$PREFIX/bin") >> "$CALLS"
                case $1 in show) echo "$UNIT" ;; disable) exit "$CODE" ;; esac
                END
                chmod 755 bin/*
                """#
            let ending = try await Program.run(["sh", "-c", script, "sh", folder, sourceTree])
            #expect(ending.code == 0, "\(ending)")
        }

        private func install(
            _ folder: String, _ arguments: String..., environment: [String: String]
        ) async throws -> Ending {
            let path = "\(folder)/bin:/usr/local/bin:/usr/bin:/bin"
            return try await Program(
                ["\(folder)/portable/install.sh"] + arguments,
                environment: ["PATH": path, "CALLS": "\(folder)/calls", "CODE": "0"]
                    .merging(environment) { $1 }
            ).end()
        }

        private func text(_ path: String, in folder: String) throws -> String? {
            try Directory(opening: folder).read(path).map { String(decoding: $0, as: UTF8.self) }
        }

        /// The service of the archive, one that cannot be stopped, and that of a package.
        @Test(arguments: [("usr", "0"), ("usr", "1"), ("", "0")])
        func uninstallStopsTheServiceBeforeItRemovesFiles(
            place: String, code: String
        ) async throws {
            try await withTemporaryFolder { folder in
                try await prepare(folder)
                let prefix = "\(folder)/usr"
                let unit = place.isEmpty ? "/lib" : "\(prefix)/lib"
                let environment = [
                    "PREFIX": prefix, "UNIT": "\(unit)/systemd/system/apod-mirror.service",
                    "CODE": code,
                ]
                #expect(try await install(folder, environment: environment).code == 0)

                let ending = try await install(folder, "--uninstall", environment: environment)

                #expect(ending.code == Int32(code), "\(ending)")
                let left = try Directory(opening: prefix).status("bin/apod-mirror")
                #expect((left != nil) == (code == "1"))
                #expect(ending.errors.contains("nothing was removed") == (code == "1"))
                let calls = try #require(try text("calls", in: folder))
                // Each with the programs that were installed then.
                let stop = "disable --now apod-mirror.service: apod-mirror\n"
                #expect(calls.contains(stop) == !place.isEmpty, "\(calls)")
            }
        }

        @Test func aScriptMayBeExecutedAndAUnitMayNot() async throws {
            try await withTemporaryFolder { folder in
                try await prepare(folder)
                let prefix = "\(folder)/usr"

                #expect(
                    try await install(folder, environment: ["PREFIX": prefix, "UNIT": "/lib/x"])
                        .code == 0)

                let modes = try await Program.run([
                    "stat", "--format=%a", "\(prefix)/share/apod-mirror-screen",
                    "\(prefix)/lib/systemd/system/apod-mirror.service",
                ])
                #expect(modes.output == "755\n644\n", "\(modes)")
            }
        }

        @Test func theFileOfSettingsIsInstalledAndRemovedAgainIfNobodyChangedIt() async throws {
            try await withTemporaryFolder { folder in
                try await prepare(folder)
                let root = "\(folder)/root"
                let environment = ["PREFIX": "/opt/apod", "DESTDIR": root]
                #expect(try await install(folder, environment: environment).code == 0)
                let settings = try text(Self.settings, in: root)
                let source = try text(".install/apod-mirror.default", in: sourceTree)
                #expect(settings != nil && settings == source)
                let directory = try Directory(opening: root)
                #expect(
                    try await install(folder, "--uninstall", environment: environment).code == 0)
                #expect(try directory.status(Self.settings) == nil)

                // Of the user, also before the installation.
                let own = "APOD_MIRROR_SINCE=all\n"
                let place = try Directory(opening: "\(root)/etc/default")
                try AtomicFile.publish(
                    Array(own.utf8), in: place, as: "apod-mirror", through: place)
                #expect(try await install(folder, environment: environment).code == 0)
                #expect(try text(Self.settings, in: root) == own)
                #expect(
                    try await install(folder, "--uninstall", environment: environment).code == 0)
                #expect(try text(Self.settings, in: root) == own)
            }
        }
    }
}
