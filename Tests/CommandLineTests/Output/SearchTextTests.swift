import TestSupport
import Testing

@testable import apod_mirror

/// What a search takes for the same.
@Suite struct SearchTextTests {
    @Test(arguments: searchExamples.indices) func aTextIsFoundAsPeopleTypeIt(_ index: Int) {
        let example = searchExamples[index]

        #expect(
            SearchText(example.text).contains(SearchText(example.query)) == example.isFound,
            "\(example)")
    }

    @Test func nothingIsLeftOfSignsAlone() {
        for text in ["'", "-", "’ –", "\u{AD}", " "] { #expect(SearchText(text).isEmpty) }
    }
}
