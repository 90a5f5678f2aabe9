import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

@testable import apod_mirror

extension WholeProgram {
    /// `docs/schemas/` describes what programs read: `Ending.json` compares what each test reads.
    @Suite(.timeLimit(.minutes(10))) struct OutputSchemaTests {
        private static func schemas() throws -> Set<String> {
            let names = try Directory(opening: sourceTree).folder("docs/schemas")?.textNames() ?? []
            return Set(names.map { $0.replacing(".schema.json", with: "") })
        }

        @Test func eachCommandWithJSONHasASchema() throws {
            let commands = Command.allCases.filter { $0.options.contains(.json) }
                .map { $0 == .show ? "record" : $0.rawValue }

            #expect(try Self.schemas() == Set(commands + ["v1"]))
        }

        /// ``RecordSchemaTests`` has the records.
        @Test func theSchemasNameTheKeysOfRealOutputsAndRejectOthers() async throws {
            let outputs = try await Self.outputs()

            let names = try Self.schemas().subtracting(["record"])
            #expect(names == Set(outputs.keys))
            for name in names {
                let schema = try JSONSchema(named: name)
                let values = outputs[name] ?? []
                let keys = Set(values.flatMap { JSONSchema.keys(of: $0) })
                // Root may read each file; they are those of `unrecognized` and `missing`.
                let unseen = try schema.keys.subtracting(keys)
                    .filter { !$0.hasPrefix("failed/") && !$0.hasPrefix("unknown/") }
                #expect(unseen == [], "\(name)")
                for value in values {
                    #expect(try schema.violations(of: value, isClosed: true) == [], "\(name)")
                    for other in value.misshapen {
                        let violations = try schema.violations(of: other, isClosed: true)
                        #expect(violations != [], "\(name): \(other.line)")
                    }
                }
            }
        }

        /// Outputs of a mirror with all that can be wrong with one, by the names of their schemas.
        private static func outputs() async throws -> [String: [JSON]] {
            var outputs: [String: [JSON]] = [:]
            try await withSite(days: 13) { site in
                func read(_ words: String...) async throws {
                    let ending = try await site.read(words + ["--json"])
                    outputs[words[0], default: []].append(try ending.json)
                }
                let simulator = site.simulator
                simulator.withdraw(Site.day(4))
                try simulator.edit(Site.day(3)) { $0.media = .other }
                try simulator.edit(Site.day(2)) {
                    ($0.copyright, $0.credit) = ("Ada Lovelace", nil)
                }
                try site.addVideo(age: 6)
                _ = try await site.mirror("--v1", "all")
                try site.publishASmallCopy(of: Site.day(5))
                _ = try await site.mirror("--v1", "all")
                let tree = try site.tree()
                outputs["v1"] = try tree.files.filter { $0.key.hasPrefix("v1/") }
                    .map { try JSON(parsing: $0.value) }
                let shown = try await site.read("show", "latest", "--json").json
                #expect(try JSONSchema.record.violations(of: shown, isClosed: true) == [])
                try await read("search", "the")
                try await read("doctor", "--offline")

                let picture = try site.picture(of: Site.day(1))
                let bytes = tree.files[picture] ?? []
                for name in ["\(Site.day(1))", "\(Site.day(12))"] {
                    try site.write(bytes, to: "source/\(name).jpg")
                }
                try site.write(bytes + [0], to: "source/unnamed.jpg")
                outputs["adopt"] = [try await site.adopt("--offline").json]
                try site.write("no picture", to: "apod/favorites/unnamed.jpg")
                _ = try await site.read("favorites", "add", "\(Site.day(10))")
                try await read("favorites", "list")

                try await site.damage("truncate -s 0", picture)
                try await read("verify")
                simulator.inject(.html, on: .any, times: nil)
                let repair = try await site.read(["verify", "--repair", "--json"] + site.upstream)
                outputs["verify"]?.append(try repair.json)
                _ = try await site.mirror()
                try await read("status")
                simulator.clearFaults()
                // The favorite comes by another route, in the sync after the one that finds the API to fail.
                simulator.inject(.html, on: .route(.api), times: nil)
                for _ in 0..<2 { _ = try await site.mirror() }
                try await read("status")
                simulator.clearFaults()
                simulator.inject(.hang, on: .mediaOf(Site.day(11)), times: nil)
                let daemon = try site.start(["run"] + site.settings() + ["--since", "12d"])
                let during = try await polled {
                    let status = try await site.read("status", "--json").json
                    return status["sync"]?["start"] == nil ? nil : status
                }
                outputs["status"]?.append(during)
                daemon.signal(SIGTERM)
                await simulator.releaseRequests()
                _ = try await daemon.end()
            }
            return outputs
        }
    }
}

extension JSON {
    /// The same with one value of a wrong kind, once for each value; and with one more key, once for each object.
    fileprivate var misshapen: [JSON] {
        let wrong: JSON = [[]]
        switch self {
        case .object(let members):
            let others = members.enumerated().flatMap { index, member in
                member.value.misshapen.map { value in
                    var members = members
                    members[index].value = value
                    return JSON.object(members)
                }
            }
            return [wrong, .object(members + [Member(key: "no such key", value: .null)])] + others
        case .array(let elements):
            let first = elements.first?.misshapen ?? []
            return [wrong] + first.map { .array([$0] + elements.dropFirst()) }
        case .null, .bool, .integer, .number, .string: return [wrong]
        }
    }
}
