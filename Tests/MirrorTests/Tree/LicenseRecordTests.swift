import APOD
import JSON
import Simulator
import Testing

@testable import Mirror

@Suite(.timeLimit(.minutes(10))) struct LicenseRecordTests {
    @Test func theLicenceOfAPictureIsRecordedAndRead() async throws {
        try await withMirror(days: 3) { mirror in
            var entry = try #require(mirror.simulator.entry(of: MirrorUnderTest.newest))
            let url = "https://creativecommons.org/licenses/by-sa/4.0/"
            entry.credit = "A. B. (<a href=\"\(url)\">CC BY-SA 4.0</a>)"
            mirror.simulator.publish(entry)

            await mirror.sync()

            let record = try #require(try mirror.store.record(of: MirrorUnderTest.newest))
            #expect(record.json["license"] == ["name": "CC BY-SA 4.0", "url": .string(url)])
            #expect(record.entry.license == License(name: "CC BY-SA 4.0", url: url))
            let other = try mirror.store.record(of: MirrorUnderTest.newest.advanced(by: -1))
            #expect(other?.json["license"] == nil)
        }
    }

    /// NASA's entry names the licence no longer: it is dropped only with the credit that it belonged to.
    @Test(arguments: ["A. B. (CC BY-SA 4.0)", "C. D."])
    func aLicenceStaysAsLongAsItsCredit(credit: String) async throws {
        try await withMirror(days: 3) { mirror in
            var entry = try #require(mirror.simulator.entry(of: MirrorUnderTest.newest))
            let url = "https://creativecommons.org/licenses/by-sa/4.0/"
            entry.credit = "A. B. (<a href=\"\(url)\">CC BY-SA 4.0</a>)"
            mirror.simulator.publish(entry)
            await mirror.sync()
            let before = try #require(try mirror.store.record(of: MirrorUnderTest.newest)).entry
            try #require(before.license != nil)
            entry.credit = credit
            entry.title = "Quite Another Title"
            mirror.simulator.publish(entry)

            await mirror.sync()

            let after = try #require(try mirror.store.record(of: MirrorUnderTest.newest)).entry
            #expect(after.title == entry.title)
            #expect(after.license == (credit == before.credit ? before.license : nil))
        }
    }
}
