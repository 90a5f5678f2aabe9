import APOD
import Glibc
import JSON
import Platform
import Simulator
import TestSupport
import Testing

/// Compares responses with recorded ones of NASA, if available.
@Suite(.timeLimit(.minutes(10)), .enabled(if: RealData.path != nil))
struct RealShapeTests {
    func sample(_ name: String) throws -> JSON {
        let path = try #require(RealData.path) + "/v2/" + name
        return try JSON(
            parsing: FileDescriptor(opening: path, O_RDONLY).readToEnd(limit: 1 << 20, path: path))
    }

    @Test(arguments: [
        "apod-basic-260913-video-mp4.json", "apod-basic-260916-image.json",
        "apod-basic-261002-image-large.json",
        "constructed-260823-video-youtube-protocol-relative.json",
    ])
    func entriesHaveTheKeysOfRealOnes(name: String) async throws {
        let simulator = try Simulator(.small(days: 1))

        let entry = try await simulator.json("/wp-json/wp/v2/apod-basic/261120")

        #expect(try entry.keys == sample(name).keys)
    }

    @Test func theRealArchiveIsServedAsItWas() async throws {
        let folder = try #require(RealData.path)
        let simulator = try Simulator(
            .real(entries: folder + "/entries-1995-2019.ndjson", pictures: folder + "/images"))
        let path = "/image/0602/tethysbasin_cassini.jpg"
        let file = try FileDescriptor(opening: folder + "/images" + path, O_RDONLY)
            .readToEnd(limit: 1 << 30, path: path)

        let entry = try await simulator.json("/planetary/apod?date=1995-06-16")

        #expect(simulator.published.count == 8962)
        #expect(entry["title"] == "Neutron Star Earth")
        #expect(try await simulator.body("/apod" + path) == file)
    }

    @Test func thePlaceholderIsTheRealOne() async throws {
        let simulator = try Simulator(.small(days: 1), settings: .init(sendsV1Placeholders: true))
        let real = try sample("legacy-placeholder-since-2026-09-29.json")

        let entry = try await simulator.json("/planetary/apod")

        #expect(entry.keys == real.keys)
        for key in ["title", "explanation", "media_type", "service_version"] {
            #expect(entry[key] == real[key])
        }
    }

    @Test(arguments: [
        ("/wp-json/wp/v2/apod-basic/270101", "error-404-not-found.json"),
        ("/wp-json/wp/v2/apod-basic/x", "error-404-no-route.json"),
        ("/wp-json/wp/v2/apod-basic?date_from=x&date_to=y", "error-400-invalid-param.json"),
        ("/planetary/apod?field=1", "v1-error-400-field.json"),
        ("/planetary/apod?date=2020-10-01", "v1-error-404.json"),
    ])
    func errorsAreTheRealOnes(path: String, name: String) async throws {
        let simulator = try Simulator(.small(days: 1))

        let error = try await simulator.json(path)

        #expect(try Set(error.members) == Set(sample(name).members))
    }
}
