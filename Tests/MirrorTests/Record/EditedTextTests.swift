import APOD
import JSON
import MirrorTesting
import Simulator
import Testing

@testable import Mirror

/// NASA's newest text is the text of a day, and the record before it is in `previous/`.
@Suite(.timeLimit(.minutes(10))) struct EditedTextTests {
    typealias Edit = @Sendable (inout SimulatedEntry) -> Void

    /// Texts before and after an edit, and the keys of the record that differ.
    private static let edits: [(before: Edit, after: Edit, keys: Set<String>)] = [
        ({ $0.title = "A Wide-Field View" }, { $0.title = "A Wide Field View" }, ["title"]),
        ({ $0.title = "M31 in Autumn" }, { $0.title = "M31 In Autumn" }, ["title"]),
        (
            { ($0.credit, $0.copyright) = ("Ada Lovelace", "Ada Lovelace") },
            { $0.copyright = nil }, ["copyright"]
        ),
        ({ $0.credit = "Ada Lovelace" }, { $0.credit = "A. L." }, ["credit"]),
        ({ $0.alt = "Stars. A cluster." }, { $0.alt = "Stars..." }, ["alt"]),
        (
            { $0.explanationHTML = "A <b>chain</b> of stars. It's near." },
            { $0.explanationHTML = "A chain of..." }, ["explanation", "explanation_html"]
        ),
        (
            { $0.explanationHTML = "A <a href=\"https://example.org/\">chain</a> of stars." },
            { $0.explanationHTML = "A chain of stars." }, ["explanation_html"]
        ),
    ]

    @Test(arguments: edits.indices)
    func theNewestTextWinsAndTheRecordBeforeItIsKept(index: Int) async throws {
        let (before, after, keys) = Self.edits[index]
        try await withMirror(days: 4) { mirror in
            func publish(_ edit: Edit) async throws -> DayRecord {
                try mirror.simulator.edit(MirrorUnderTest.newest.advanced(by: -2), edit)
                await mirror.sync()
                return try mirror.record(2)
            }
            let earlier = try await publish(before)

            let edited = try await publish(after)

            let names = Set((earlier.json.members + edited.json.members).map(\.key))
            let changed = names.filter { earlier.json[$0] != edited.json[$0] && $0 != "source" }
            #expect(changed.isSubset(of: keys) && !changed.isEmpty, "\(changed)")
            #expect(edited.revision == earlier.revision + 1)
            let previous = try mirror.previousFiles()
            #expect(previous.values.contains(earlier.json.document))
            // The same answer once more is nothing new.
            let traces = try mirror.traces()
            #expect(await mirror.sync().edited == 0)
            #expect(try mirror.traces() == traces)
        }
    }
}
