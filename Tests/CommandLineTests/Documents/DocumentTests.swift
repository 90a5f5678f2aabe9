import MediaFormat
import Mirror
import Platform
import TestSupport
import Testing

/// The documents are complete and consistent.
@Suite(.timeLimit(.minutes(10))) struct DocumentTests {
    @Test func everyLinkInTheDocumentsIsValid() throws {
        let top = try Directory(opening: sourceTree)
        let documents = try Document.all()
        let anchors = Dictionary(uniqueKeysWithValues: documents.map { ($0.path, $0.anchors) })
        #expect(anchors.filter(\.value.isEmpty).isEmpty, "a document has no heading")
        for document in documents {
            for link in document.links where !link.hasPrefix("https://") {
                let parts = link.split(separator: "#", omittingEmptySubsequences: false)
                let path = parts[0].isEmpty ? document.path : document.resolved(parts[0])
                // The forge has them beside the files: above “blob/main”.
                let pages = ["releases/latest", "issues", "security/advisories/new"]
                guard !pages.contains(where: { path == "../../\($0)" }) else { continue }
                #expect(try top.status(path) != nil, "\(document.path) links to \(link)")
                guard parts.count > 1 else { continue }
                let target = try #require(anchors[path], "\(link)")
                #expect(target.contains(String(parts[1])), "\(document.path) links to \(link)")
            }
        }
    }

    @Test func theREADMELeadsToEachDocument() throws {
        let links = Set(try Document("README.md").links)

        for document in try Document.all() where document.path != "README.md" {
            #expect(links.contains(document.path), "\(document.path)")
        }
    }

    @Test func theFormatOfTheTreeNamesWhatEachViewOwns() throws {
        let text = try Document("docs/tree.md").text

        for name in ViewName.places where !name.contains("/") {
            #expect(text.contains("`\(name)`") || text.contains("`\(name)/`"), "\(name)")
        }
    }

    @Test func theTypesFilesAndFoldersNamedInTheArchitectureExist() async throws {
        let files = try await Program.run(["find", "\(sourceTree)/Sources", "-printf", "%f\\n"])
            .output
        // A module is a folder.
        let names = Set(
            files.split(separator: "\n").map { $0.hasSuffix(".swift") ? $0.dropLast(6) : $0 })

        let text = try Document("docs/architecture.md").text
        // Also an extension such as `Store+Pages`, a folder with its slash, and the type of a member.
        let name = #/`([A-Z][A-Z0-9]*[a-z][A-Za-z0-9+]*)(?:\.[A-Za-z.]+)?\/?`/#
        let named = text.matches(of: name).map(\.1)
        #expect(named.count > 100)
        #expect(named.filter { !names.contains($0) } == [])
    }

    @Test func theSuitesNamedInTheMakefileExist() async throws {
        let sources = try await Program.run([
            "grep", "-rhoE", "struct [A-Za-z]+Tests", "\(sourceTree)/Tests",
        ]).output
        let suites = Set(sources.split(separator: "\n").map { $0.dropFirst("struct ".count) })

        for document in try Document.all() {
            for name in document.text.matches(of: #/`([A-Za-z]+Tests)`/#) {
                #expect(suites.contains(name.1), "\(document.path) names \(name.1)")
            }
        }
    }

    @Test func eachPromiseNamesATest() async throws {
        let names = try await Program.run([
            "grep", "-rhoE", "static let name = \"[a-z-]+\"", "\(sourceTree)/Tests/Campaign",
        ]).output
        let parts = Set(names.matches(of: #/"([a-z-]+)"/#).map(\.1))
        let text = try Document("docs/reliability.md").text
        let promises = text.matches(of: #/(?m)^\| [^|]+ \| ([^|]+) \|$/#).map(\.1).dropFirst()

        #expect(promises.count > 15)
        for tests in promises {
            #expect(tests.contains("Tests") || tests.contains("part") || tests.contains("make"))
            for part in tests.matches(of: #/`([a-z-]+)`/#) {
                #expect(parts.contains(part.1), "\(tests)")
            }
        }
    }

    /// Its types give no name before the bytes are on the disk.
    @Test func onlyPlatformCreatesFiles() async throws {
        let ending = try await Program.run([
            "grep", "-rl", "--include=*.swift", "O_CREAT", "\(sourceTree)/Sources",
        ])
        let files = ending.output.split(separator: "\n")
        let others = files.filter { !$0.contains("/Sources/Platform/") }

        #expect(!files.isEmpty && others == [])
    }

    /// What deletes items in a directory, and why each is the mirror's.
    private static let deleters = [
        // A record, or the hash of what a view wrote, proves it; views remove empty directories.
        "Mirror/Ownership/Store+OwnFiles", "Mirror/Ownership/ViewBatch+Publication",
        "Mirror/Ownership/ViewTable", "Views/ViewInput",
        // The hidden name beside a file, which an unfinished publication left.
        "Mirror/Ownership/ViewFiles",
        // The pin of an earlier picture, which `previous/` has.
        "Favorites/Reconciliation/ReconcileRun+Pins",
        // Only temporary and staged files in incoming/.
        "Mirror/Sync/Day/DayPublisher", "Mirror/Sync/UnfinishedDownloads",
        "Mirror/Tree/IncomingCleanup",
        // Removed favorites, requests, the links that a command was asked to delete, and those of an unfinished `favorites/`.
        "Favorites/Commands/FavoriteCommands+Remove", "Favorites/Store/FavoriteLinks",
        "Favorites/Store/FavoriteStore+Requests", "Favorites/Store/FavoriteStore+Trash",
        "Mirror/Retention/Store+Trash",
        // The text that a person renamed, as the hash of what was written proves.
        "Favorites/Reconciliation/ReconcileRun+Texts",
        // What an unfinished publication of such a text left.
        "Favorites/Texts/FavoritesTextFiles",
        // Test files of this process.
        "Service/Doctor/DiskChecks",
    ]

    /// No other file deletes: what belongs to a person would be lost by a resemblance.
    @Test func whatDeletesIsListed() async throws {
        let names = "root|folder|incoming|staging|trash|other|parent|place|opening: path\\)"
        let ending = try await Program.run([
            "grep", "-rlE", "--include=*.swift", "(\(names))\\.remove(Durably|Directory)?\\(",
            "\(sourceTree)/Sources",
        ])
        let start = "\(sourceTree)/Sources/"
        let files = ending.output.split(separator: "\n")
            .filter { !$0.contains("/Sources/Platform/") }
            .map { $0.dropFirst(start.count).dropLast(".swift".count) }

        #expect(Set(files) == Set(Self.deleters.map { $0[...] }), "\(files)")
    }

    /// HEIF by both of its names, and redirect pages.
    @Test func menusOfFileManagersAreForAllTypesThatTheTreeHas() throws {
        let types = MediaType.allCases.map(\.rawValue) + ["image/heif", "text/html"]
        for name in ["dolphin.desktop", "nemo_action", "thunar.desktop"] {
            let menu = try Document(".install/file-managers/apod-mirror.\(name)").text
            let list = try #require(menu.firstMatch(of: #/(?m)^Mime[Tt]ypes?=(.*);$/#)).1
            #expect(Set(list.split(separator: ";").map(String.init)) == Set(types), "\(name)")
        }
        let names = MediaType.allCases.map { "`\($0.fileExtension)`" }
        let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        let tree = try Document("docs/tree.md").text.split { $0.isWhitespace }
        #expect(tree.joined(separator: " ").contains(list))
    }

    @Test func everyMutantIsMarkedInTheSourcesAndListedWithItsTest() async throws {
        let check = try await Program.run(["\(sourceTree)/Tests/Mutants/run", "--check"])
        #expect(check.code == 0, "\(check)")
    }
}

extension Document {
    /// A relative link, from the top of the repository.
    fileprivate func resolved(_ link: Substring) -> String {
        var parts = path.split(separator: "/").dropLast()
        for part in link.split(separator: "/") {
            if part == "..", let last = parts.last, last != ".." {
                parts = parts.dropLast()
            } else {
                parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }
}
