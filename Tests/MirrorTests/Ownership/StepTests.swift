import Glibc
import Platform
import Testing

@testable import Mirror

/// The decision at one path of a view.
@Suite struct StepTests {
    private static func item(_ byte: UInt8) -> GeneratedItem {
        GeneratedItem(contents: .file(InputDigest(of: [byte])))
    }
    private static let (ours, new, mine) = (item(1).contents, item(2).contents, item(3).contents)
    private static let made = TableRow.made(item(1))
    /// A kill between the row and the file leaves either of two contents.
    private static let intended = TableRow.intended(item(2), before: item(1))
    private static let refused = TableRow.refused(item(1))

    private struct Case: Sendable {
        let wanted: GeneratedContents?
        let row: TableRow?
        let found: FoundAtPath
        let step: ViewStep

        init(
            _ wanted: GeneratedContents?, _ row: TableRow?, _ found: FoundAtPath, _ step: ViewStep
        ) {
            (self.wanted, self.row, self.found, self.step) = (wanted, row, found, step)
        }
    }

    private static let cases = [
        Case(new, nil, .nothing, .write),
        Case(new, made, .nothing, .write),
        Case(nil, made, .nothing, .forget),
        Case(new, nil, .contents(mine), .leaveToPerson),
        Case(new, made, .contents(mine), .leaveToPerson),
        Case(nil, made, .contents(mine), .leaveToPerson),
        Case(nil, nil, .foreign, .leaveToPerson),
        Case(new, nil, .contents(new), .keep),
        Case(new, made, .contents(new), .keep),
        Case(ours, made, .contents(ours), .keep),
        Case(new, made, .contents(ours), .write),
        Case(nil, made, .contents(ours), .remove),
        Case(new, intended, .contents(ours), .write),
        Case(ours, intended, .contents(new), .write),
        Case(nil, intended, .contents(new), .remove),
        Case(new, intended, .contents(mine), .leaveToPerson),
        Case(nil, refused, .nothing, .leaveToPerson),
        Case(ours, refused, .nothing, .write),
        Case(ours, refused, .contents(ours), .keep),
        Case(nil, refused, .contents(ours), .leaveToPerson),
        Case(new, refused, .contents(ours), .leaveToPerson),
        Case(new, nil, .expendable, .write),
        Case(nil, nil, .expendable, .remove),
    ]

    @Test(arguments: cases.indices) func theStepAtAPath(index: Int) {
        let example = Self.cases[index]
        let step = ViewStep(wanted: example.wanted, row: example.row, found: example.found)
        #expect(step == example.step)
    }

    @Test(arguments: [nil, made, intended, refused]) func aLookThatFailedDecidesNothing(
        row: TableRow?
    ) {
        let error = SystemError("read", path: "x", code: EIO)
        for wanted in [nil, Self.ours, Self.new] {
            #expect(ViewStep(wanted: wanted, row: row, found: .unknown(error)) == .wait(error))
        }
    }

    /// Such as one that is newer than a table from a backup.
    @Test func aPageProvesItselfAtItsPathUntilItIsChanged() {
        let page = Array("<!DOCTYPE html>\n<p>2026\n".utf8)
        let marked = page + InputDigest.mark(of: page, at: "gallery/2026.html")
        #expect(InputDigest.isMarked(marked, at: "gallery/2026.html"))
        #expect(!InputDigest.isMarked(marked, at: "gallery/2025.html"))
        #expect(!InputDigest.isMarked(page, at: "gallery/2026.html"))
        for index in page.indices {
            var changed = marked
            changed[index] ^= 1
            #expect(!InputDigest.isMarked(changed, at: "gallery/2026.html"))
        }
    }
}
