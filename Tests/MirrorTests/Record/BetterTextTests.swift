import APOD
import JSON
import MirrorTesting
import Simulator
import Testing

@testable import Mirror

/// A sync keeps a better text, and records what NASA serves in its place.
@Suite(.timeLimit(.minutes(10))) struct BetterTextTests {
    typealias Edit = @Sendable (inout SimulatedEntry) -> Void

    let day = MirrorUnderTest.newest.advanced(by: -2)

    private func publish(_ mirror: MirrorUnderTest, _ edit: Edit) async throws -> DayRecord {
        var entry = try #require(mirror.simulator.entry(of: day))
        edit(&entry)
        mirror.simulator.publish(entry)
        await mirror.sync()
        return try #require(try mirror.store.record(of: day))
    }

    private static let whole: Edit = {
        $0.title = "Kemble's Cascade of Stars"
        $0.explanationHTML = "Kemble's Cascade is a <b>chain</b> of stars. It's near."
        $0.credit = "Ada Lovelace"
        $0.copyright = "Ada Lovelace"
        $0.alt = "A chain of stars. A cluster is at its end."
    }

    private static let damages: [(EntryText.Field, String, Edit)] = [
        (.title, "Kembles Cascade Of Stars", { $0.title = "Kembles Cascade Of Stars" }),
        (.title, "kemble s cascade of stars", { $0.title = "kemble s cascade of stars" }),
        (
            .explanation, "Kembles Cascade is a chain of stars. Its near.",
            { $0.explanationHTML = "Kembles Cascade is a chain of stars. Its near." }
        ),
        (.explanation, "", { $0.explanationHTML = "" }),
        (.credit, "", { ($0.credit, $0.copyright) = (nil, nil) }),
        (.copyright, "", { $0.copyright = nil }),
        (.alt, "A chain of stars. […]", { $0.alt = "A chain of stars. […]" }),
        (.alt, "", { $0.alt = nil }),
    ]

    @Test(arguments: damages)
    func damageIsARevisionThatReplacesNoText(
        field: EntryText.Field, text: String, damage: Edit
    ) async throws {
        try await withMirror(days: 4) { mirror in
            let whole = try await publish(mirror, Self.whole)

            let damaged = try await publish(mirror, damage)

            for field in EntryText.Field.allCases {
                #expect(damaged.entry[field] == whole.entry[field])
            }
            #expect(damaged.entry.explanationHTML == whole.entry.explanationHTML)
            #expect(damaged.damagedUpstream[field] == text)
            #expect(damaged.revision == whole.revision + 1)
            #expect(try mirror.store.history(of: day).revisions.map(\.record) == [whole, damaged])
            // The same damage once more is nothing new, and an edit is taken.
            let before = try mirror.traces()
            let summary = await mirror.sync()
            #expect(summary.edited == 0)
            #expect(try mirror.traces() == before)
            let edited = try await publish(mirror) {
                Self.whole(&$0)
                $0.title = "The Cascade of Kemble"
            }
            #expect(edited.entry.title == "The Cascade of Kemble")
            #expect(edited.damagedUpstream == [:] && edited.revision == whole.revision + 2)
        }
    }

    @Test func aVideoKeepsItsOffset() async throws {
        try await withMirror(days: 4) { mirror in
            let address = "https://www.youtube.com/embed/UgxWkOXcdZU"
            let whole = try await publish(mirror) { $0.media = .iframe(src: "\(address)?start=23") }

            let damaged = try await publish(mirror) {
                $0.media = .iframe(src: "\(address)?feature=oembed")
            }

            #expect(whole.video?.url.hasSuffix("start=23") ?? false)
            #expect(damaged.video == whole.video && damaged.entry == whole.entry)
            #expect(damaged.damagedUpstream.keys.map(\.self) == [.url])
            let edited = try await publish(mirror) { $0.media = .iframe(src: "\(address)2") }
            #expect(edited.video?.url == "\(address)2")
        }
    }
}
