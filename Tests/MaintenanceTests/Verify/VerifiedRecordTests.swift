import APOD
import JSON
import MirrorTesting
import Platform
import Testing

@testable import Maintenance
@testable import Mirror

/// A damaged record is found, and nothing outside its day is opened because of it.
@Suite(.timeLimit(.minutes(10))) struct VerifiedRecordTests {
    /// A change of a record that must not cause another file to be opened.
    @Test(
        arguments: [
            ("path", .string("pictures/../../../etc/passwd")),
            ("path", .string("/etc/passwd")),
            ("path", .string("pictures/2020/2020-01/2020-01-01 X.jpg")),
            ("path", .string("pictures/a\0b")),
            ("sha256", "abc"), ("sha256", .string(String(repeating: "A", count: 64))),
            ("bytes", 0), ("bytes", -1), ("bytes", .integer(.max)), ("bytes", "12"),
        ] as [(String, JSON)])
    func aRecordThatBreaksItsSchemaIsDamaged(key: String, value: JSON) async throws {
        try await withSyncedMirror { mirror in
            let json = try mirror.record().json
            let picture = json["picture"]?.members.map { member in
                JSON.Member(key: member.key, value: member.key == key ? value : member.value)
            }
            let broken = JSON.object(
                json.members.map { member in
                    member.key == "picture"
                        ? .init(key: "picture", value: .object(picture ?? [])) : member
                })
            try mirror.store.publish(broken.document, at: mirror.recordPath())

            let findings = try mirror.findings()

            // The number of bytes alone may have any value.
            #expect(findings.first?.day == MirrorUnderTest.newest.advanced(by: -1), "\(findings)")
            #expect(findings.allSatisfy { $0.path.hasPrefix("metadata/") || key == "bytes" })
        }
    }

    @Test func aRecordUnderTheNameOfAnotherDayIsDamaged() async throws {
        try await expectFinding(.damaged) { mirror in
            let record = try mirror.tree.root.read(mirror.recordPath(2)) ?? []
            try mirror.store.publish(record, at: mirror.recordPath())
            return mirror.recordPath()
        }
    }
}
