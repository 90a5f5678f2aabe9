import APOD
import FoundationEssentials
import JSON
import Simulator
import TestSupport
import Testing

@testable import Mirror

/// Which of two texts of one day is better.
@Suite(.timeLimit(.minutes(10))) struct TextDamageTests {
    @Test(arguments: [
        ("Kemble's Cascade", "Kembles Cascade"), ("Kemble's Cascade", "Kemble s Cascade"),
        ("Kemble’s Cascade", "Kembles Cascade"),
        ("Comet Tsuchinshan-ATLAS Approaches", "Comet Tsuchinshan ATLAS Approaches"),
        ("M102: Edge-on Disk", "M102: Edgeon Disk"),
        ("Rubin's COSMOS field", "Rubin’s Cosmos Field"),
        ("Rubin's COSMOS field", "Rubins Cosmos Field"), ("NGC 4565", "Ngc 4565"),
        ("Portrait of a Galaxy", "Portrait Of A Galaxy"),
        ("The Crab Nebula", "the crab nebula"), ("The Crab Nebula", "THE CRAB NEBULA"),
        ("Charles Messier, Pierre Méchain", "Charles Messier, Pierre Mchain"),
        ("Pierre Méchain", "Pierre M?chain"),
        ("Pierre Mechain, São Paulo", "Pierre Mechain, S\u{FFFD}o Paulo"),
        ("The star's light left it long ago. Today it is seen.", "The stars light left it […]"),
        ("Two galaxies. They collide.", "Two galaxies. [...]"), ("Jane Doe", ""),
        ("Two galaxies.", "[…]"),
    ])
    func aTextThatOnlyLostCharactersIsDamaged(better: String, damaged: String) {
        #expect(damaged.isDamagedCopy(of: better))
        #expect(!better.isDamagedCopy(of: damaged) || better.lowercased() == damaged.lowercased())
        #expect(!better.isDamagedCopy(of: better) && !damaged.isDamagedCopy(of: damaged))
    }

    @Test(arguments: [
        ("Kembles Cascade", "Kemble's Cascade"), ("the crab nebula", "The Crab Nebula"),
        ("The Crab Nebula", "The Crab Nebula Again"), ("The Crab Nebula", "A Crab Nebula"),
        ("The galaxy's arms. It's near.", "The galaxy's arms. Its near."),
        ("A star like the sun.", "A star like the Sun."),
        ("It is 10-20 light-years away.", "It is 10-30 light years away."),
        ("Edge-on Disk", "Edge–on Disk"), ("“Pillars”", "Pillars"),
        ("Schr\u{FFFD}dinger", "Schrödinger"),
        ("Jane Doe", "John Doe"), ("Two galaxies.", "Two galaxies. They collide."),
        ("", "Jane Doe"),
        ("Two galaxies. They collide.", "Two galaxies."), ("What is it?", "What was it […]"),
    ])
    func anyOtherDifferenceIsAnEdit(earlier: String, later: String) {
        #expect(!later.isDamagedCopy(of: earlier))
    }

    @Test func onlyAVideoThatLostItsOffsetIsDamaged() {
        let old = "https://www.youtube.com/embed/UgxWkOXcdZU?si=GOlnR&t=23"

        #expect("https://www.youtube.com/embed/UgxWkOXcdZU?feature=oembed".isWithoutOffset(of: old))
        #expect("https://www.youtube.com/embed/UgxWkOXcdZU".isWithoutOffset(of: old))
        #expect(!"https://www.youtube.com/embed/UgxWkOXcdZU?start=40".isWithoutOffset(of: old))
        #expect(!"https://www.youtube.com/embed/other".isWithoutOffset(of: old))
        #expect(!old.isWithoutOffset(of: old))
    }

    // MARK: The whole archive

    /// What the move to WordPress made of texts.
    private static let damages: [@Sendable (String) -> String] = [
        { $0.filter { !"'‘’`".contains($0) } }, { $0.replacing("'", with: " ") },
        { $0.replacing("-", with: "") }, { $0.replacing("-", with: " ") },
        { $0.filter { !"'‘’`-".contains($0) }.lowercased() }, { $0.uppercased() },
        { $0.lowercased() },
        {
            $0.split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
                .joined(separator: " ")
        },
        { $0.prefix($0.count / 2) + " […]" }, { _ in "" },
        { $0.filter(\.isASCII) },
    ]

    /// What NASA's editors do to texts.
    private static let edits: [@Sendable (String) -> String] = [
        { "\($0) More." }, { "New: \($0)" }, { $0.replacing("a", with: "o") },
        { $0.replacing("1", with: "2") },
        { $0.replacing("the ", with: "") }, { String($0.dropLast(2)) }, { String($0.reversed()) },
    ]

    @Test(.enabled(if: RealData.path != nil))
    func allTextsOfTheArchiveSurviveDamageAndTakeEdits() throws {
        let path = try #require(RealData.path)
        let lines = try Data(contentsOf: URL(filePath: "\(path)/entries-1995-2019.ndjson")).split(
            separator: 0x0A)
        var (days, damaged, edited, wrong) = (0, 0, 0, [String]())
        for (index, line) in lines.enumerated() where index.isMultiple(of: RealData.step) {
            let json = try JSON(parsing: Array(line))
            let texts = ["title", "explanation", "copyright"].compactMap { json[$0]?.string }
                .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
                .filter { !$0.contains("\u{FFFD}") && $0 != $0.lowercased() }
            days += 1
            for text in texts where text.contains(where: \.isLetter) {
                // All of them for a title, one for a long text.
                let all = Self.damages.indices
                for index in text.utf8.count < 200 ? Array(all) : [days % all.count] {
                    let result = Self.damages[index](text)
                    guard result != text else { continue }
                    damaged += 1
                    if !result.isDamagedCopy(of: text) { wrong.append("\(text) -> \(result)") }
                }
                let edit = Self.edits[days % Self.edits.count](text)
                guard edit.filter(\.isLetter) != text.filter(\.isLetter) else { continue }
                edited += 1
                if edit.isDamagedCopy(of: text) { wrong.append("\(text) -> \(edit)") }
            }
        }
        print("\(damaged) damaged texts and \(edited) edits of \(days) days")
        #expect(days == (8962 + RealData.step - 1) / RealData.step)
        #expect(damaged > 50_000 / RealData.step && edited > 15_000 / RealData.step)
        #expect(wrong == [])
    }
}
