import Glibc
import JSON
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    /// The recipes of docs/notifications.md, with the programs that are installed.
    @Suite(.timeLimit(.minutes(10))) struct NotificationTests {
        /// Each line that sets the variable, by the bold word with which the paragraph before it begins.
        private static func recipes() throws -> [String: String] {
            let lines = try Document("docs/notifications.md").text
                .matches(
                    of:
                        #/\n\*\*([A-Za-z.]+)\*\*: [^\n]*\n(?:[^\n]+\n)*\n```sh\nAPOD_MIRROR_ON_NEW=([^\n]+)\n```/#
                )
            return Dictionary(lines.map { (String($0.1), String($0.2)) }) { first, _ in first }
        }

        @Test func eachRecipeIsOneValueOfAFileOfVariables() throws {
            let recipes = try Self.recipes()

            #expect(
                Set(recipes.keys) == [
                    "ntfy", "Gotify", "Telegram", "Discord", "healthchecks.io", "Mail", "MQTT",
                ])
            for (name, value) in recipes {
                #expect(value.hasPrefix("'") && value.hasSuffix("'"), "\(name)")
                // systemd, the shell and compose take it for the same.
                #expect(value.count { $0 == "'" } == 2, "\(name)")
            }
        }

        /// What other documents repeat of these recipes is what the tests below run.
        @Test func eachRecipeOfAnotherDocumentIsTheSameLine() throws {
            let recipes = Set(try Self.recipes().values)
            let lines = try Document.all().filter { $0.path != "docs/notifications.md" }
                .flatMap { $0.text.matches(of: #/\nAPOD_MIRROR_ON_NEW=([^\n]*)/#) }
                .map { String($0.1) }

            #expect(!lines.isEmpty)
            for line in lines { #expect(recipes.contains(line), "\(line)") }
        }

        private static let hasCurl =
            unsafe system("command -v curl >/dev/null") == 0

        @Test(
            .enabled(if: hasCurl, "needs curl"), arguments: NewDayTests.texts)
        func eachRecipeForAWebServiceSendsTheTitleAsText(title: ForeignText) async throws {
            let server = try RequestRecorder()
            defer { server.stop() }
            let recipes = try Self.recipes().filter { $0.value.contains("curl ") }
                .sorted { $0.key < $1.key }
            #expect(recipes.count == 5)
            // All in one command, in the shell as the manual has it.
            let commands = recipes.map { _, value in
                "( \(value.dropFirst().dropLast()) ) || exit 1".replacing(
                    #/https:\/\/[a-z.-]+\//#
                ) { _ in "http://127.0.0.1:\(server.port)/" }
            }
            try await withSite(days: 1) { site in
                try site.simulator.edit(Site.today) { $0.title = title.text }

                // curl(1) would read brackets and braces as a pattern of names.
                let root = "\(site.folder)/a [b] {c}"
                let ending = try await site.mirror(
                    thumbnails: true, root: root,
                    environment: [
                        "APOD_MIRROR_ON_NEW": commands.joined(separator: "\n")
                    ])

                #expect(ending.errors.contains("--on-new: done, for \(Site.today)\n"), "\(ending)")
                #expect(server.requests.count == recipes.count)
                let tree = try site.tree(root)
                let record = try #require(tree.records[Layout.recordPath(of: Site.today)])
                let line = "\(Site.today)  \((record["title"]?.string ?? "").excerpt)"
                let thumbnail = try #require(tree.files[Layout.thumbnail(of: Site.today)])
                for (recipe, request) in zip(recipes, server.requests) {
                    let text = String(decoding: request, as: UTF8.self)
                    let plain = String(
                        decoding: text.replacing("+", with: " ").utf8.percentDecoded, as: UTF8.self)
                    let sent = recipe.key == "Discord" ? line.replacing("@", with: "") : line
                    #expect(
                        text.contains(sent) || plain.contains(sent),
                        "\(recipe.key): \(text.prefix(2000))")
                    #expect(!text.contains("root:x:"), "\(recipe.key)")
                    #expect(text.contains("YOUR-"), "\(recipe.key)")
                    let hasPicture = ["ntfy", "Telegram", "Discord"].contains(recipe.key)
                    #expect(request.contains(bytes: thumbnail) == hasPicture, "\(recipe.key)")
                }
                #expect(tree.files["owned"] == nil)
            }
        }

        // MARK: Other programs

        /// Runs the recipe `name`, whose `folder` is replaced by one of the site, on a day of a title.
        private func notify(
            _ site: Site, by name: String, of title: ForeignText, replacing folder: String
        ) async throws -> String {
            try site.simulator.edit(Site.today) { $0.title = title.text }
            let recipe = try #require(try Self.recipes()[name])
            let command = String(recipe.dropFirst().dropLast())
                .replacing(folder, with: "\(site.folder)/")
            let ending = try await site.mirror("--on-new", command, thumbnails: true)
            #expect(ending.errors.contains("--on-new: done, for \(Site.today)\n"), "\(ending)")
            #expect(try site.tree().files["owned"] == nil)
            let record = try #require(try site.record(of: Site.today))
            return "\(Site.today)  \((record["title"]?.string ?? "").excerpt)"
        }

        private static let hasBroker =
            unsafe system("{ command -v mosquitto && command -v mosquitto_pub; } >/dev/null") == 0

        @Test(
            .enabled(if: hasBroker, "needs mosquitto and mosquitto-clients"),
            arguments: NewDayTests.texts)
        func theRecipeForMQTTPublishesTheTitleAsText(title: ForeignText) async throws {
            try await withSite(days: 1) { site in
                let port = try freePort()
                let broker = try Program(["mosquitto", "-p", "\(port)"], environment: [:])
                try await broker.errors.wait(for: " running\n")
                let options = "-h 127.0.0.1\n-p \(port)\n"
                try site.write(options, to: "apod-mqtt/mosquitto_pub")
                try site.write("\(options)-C 1\n", to: "apod-mqtt/mosquitto_sub")

                let line = try await notify(site, by: "MQTT", of: title, replacing: "/etc/")

                let messages = try await site.command([
                    "sh", "-c",
                    """
                    export XDG_CONFIG_HOME='\(site.folder)/apod-mqtt'
                    mosquitto_sub -N -t apod/picture > '\(site.folder)/picture' && mosquitto_sub -t apod/title
                    """,
                ])
                #expect(messages.output == "\(line)\n", "\(messages)")
                let picture = try site.tree().files[Layout.thumbnail(of: Site.today)]
                #expect(
                    try picture != nil && Directory(opening: site.folder).read("picture") == picture
                )
            }
        }

        private static let hasMailer = unsafe system("command -v msmtp >/dev/null") == 0

        @Test(.enabled(if: hasMailer, "needs msmtp"), arguments: NewDayTests.texts)
        func theRecipeForMailSendsTheTitleAsText(title: ForeignText) async throws {
            try await withSite(days: 1) { site in
                let server = try RequestRecorder(.smtp)
                defer { server.stop() }
                try site.write(
                    "account default\nhost 127.0.0.1\nport \(server.port)\nfrom apod@example.org\n",
                    to: "apod-msmtprc")

                let line = try await notify(site, by: "Mail", of: title, replacing: "/etc/")

                let dialog = String(
                    decoding: try await polled { server.requests.first }, as: UTF8.self)
                let lines = dialog.split(whereSeparator: \.isNewline)
                #expect(
                    lines.filter { $0.hasPrefix("RCPT TO:") || $0.hasPrefix("To:") }
                        == ["RCPT TO:<you@example.org>", "To: you@example.org"], "\(dialog)")
                // The lines of a mail are short.
                #expect(lines.joined().contains(line), "\(dialog)")
                // But an address leads nowhere if it is cut.
                let address = try #require(try site.record(of: Site.today)?["permalink"]?.string)
                #expect(lines.contains { $0 == address }, "\(dialog)")
                #expect(!dialog.contains("root:x:"))
            }
        }

        @Test func cronMailsOnlyAFailureOfTheCommand() async throws {
            let text = try Document("docs/notifications.md").text
            let line = String(
                try #require(text.firstMatch(of: #/`0 5,11,17 \* \* \* (\. ~[^`]*)`/#)).1)
            try await withSite(days: 1) { site in
                try site.write("APOD_MIRROR_ON_NEW='exit 7'\n", to: "home/.apod-mirror.secret")
                var printed: [String] = []
                for _ in 0..<3 {
                    let options = (site.upstream + ["--since", "1d"]).joined(separator: " ")
                    let ending = try await site.shell(
                        line.replacing("apod-mirror run", with: "\(Program.path) run")
                            + " \(options)")
                    #expect(ending.code == 0, "\(ending)")
                    printed.append(ending.output + ending.errors)
                }

                let failure = "--on-new: exit code 7, "
                #expect(
                    printed == [
                        "\(failure)again with the next sync, for \(Site.today)\n",
                        "\(failure)not again, for \(Site.today)\n", "",
                    ])
            }
        }

        @Test func aCommandIsTriedAsTheDocumentSays() async throws {
            let text = try Document("docs/notifications.md").text
            let line = String(
                try #require(text.firstMatch(of: #/\n\$ sudo (sh -ac .*)/#)).1)
            try await withMirroredSite(days: 1) { site in
                try site.write(
                    "APOD_MIRROR_ON_NEW='printf %s \"$APOD_LINE\"; ls \"$APOD_PICTURE\"'\n",
                    to: "secret")

                let ending = try await site.shell(
                    line.replacing("/etc/apod-mirror.secret", with: "\(site.folder)/secret")
                        .replacing("/var/lib/apod-mirror", with: site.root))

                #expect(ending.output == "A test\(site.root)/latest.jpg\n", "\(ending)")
            }
        }
    }
}
