import APOD
import Simulator
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
}
