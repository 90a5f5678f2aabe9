import APOD
import TestSupport
import Testing

/// What a search takes for the same.
@Suite struct SearchTextTests {
    @Test(arguments: searchExamples.indices) func aTextIsFoundAsPeopleTypeIt(_ index: Int) {
        let example = searchExamples[index]

        #expect(
            SearchTerm.all([example.query]).allSatisfy(SearchText(example.text).contains)
                == example.isFound,
            "\(example)")
    }

    @Test func nothingIsLeftOfSignsAlone() {
        for text in ["'", "-", "’ –", "\u{AD}", " "] { #expect(SearchTerm.all([text]).isEmpty) }
    }

    @Test func theNameOfACatalogueAndTheNumberAfterItAreOneTerm() {
        let text = SearchText("M 42 is 1 of many, and NGC 7000")
        for (words, isFound) in [
            (["m", "42"], true), (["M", "1"], false), (["ngc", "7000"], true),
            (["ngc", "1"], false), (["many", "1"], true), (["1", "m"], true),
        ] {
            #expect(SearchTerm.all(words).allSatisfy(text.contains) == isFound, "\(words)")
        }
    }

    @Test(arguments: correctionExamples.indices)
    func theNearestWordIsOfferedForOneThatNoTextHas(_ index: Int) {
        let example = correctionExamples[index]

        let correction = NearestWord.correction(
            of: example.query, in: [SearchText("Nothing"), SearchText(example.text)])

        #expect(correction == example.correction, "\(example)")
    }
}
