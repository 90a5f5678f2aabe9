import TestSupport
import Testing

@testable import APOD

/// Links in the plain text of an HTML fragment.
@Suite(.timeLimit(.minutes(10))) struct TextLinkTests {
    /// The links as `[text](address)`.
    private func links(_ html: String, in text: String? = nil) -> [String] {
        let text = text ?? HTMLText(html).explanation
        return TextLink.all(in: text, from: html).map { link in
            "[\(String(decoding: Array(text.utf8)[link.range], as: UTF8.self))](\(link.address))"
        }
    }

    @Test func linksHaveTheRangesOfTheirText() {
        let html = """
            <strong>Explanation: </strong>An inner-<a href="https://a.gov/solar-system/">Solar
            System</a> intruder, <a href="https://b.org/?a=1&amp;b=2">visible</a> , a
            <a href="https://c.org/F3_(NEOWISE)">Great &amp; <b>rare</b>&nbsp;Comet</a>.<br><br>And
            <A class=x HREF='//d.org/é' target=_blank>an&eacute;other’s &#8220;tail&#x201D;</A>…\
            <br><strong>Tomorrow's picture: </strong><a href="https://e.org">open space</a>
            """
        #expect(HTMLText(html).explanation.hasSuffix("\n\nAnd anéother’s “tail”…"))
        #expect(
            links(html) == [
                "[Solar System](https://a.gov/solar-system/)", "[visible](https://b.org/?a=1&b=2)",
                "[Great & rare Comet](https://c.org/F3_(NEOWISE))",
                "[anéother’s “tail”](//d.org/é)",
            ])
    }

    @Test func onlyTheLinkedOccurrenceOfAWordIsALink() {
        let text = "Stars, and more stars"
        let links = TextLink.all(in: text, from: "Stars, and more <a href=x>stars</a>")
        #expect(links == [TextLink(range: 16..<21, address: "x")])
    }

    @Test(arguments: [
        ("", ""), ("Stars", ""), ("Stars", "Stars"), ("", "<a href=x>Stars</a>"),
        ("Other stars", "<a href=x>Stars</a>"), ("Stars", "<a name=x>Stars</a>"),
        ("Stars", "<a href=x></a>Stars"), ("Stars", "<a"),
        ("a < b", "a < b<"), ("One\n\ntwo", "<a href=x>One<p>two</a>"),
        ("Stars", "<abbr href=x>Stars</abbr>"), ("Stars", "Stars&#0;&#xD800;&;&#;&#x;"),
    ])
    func aTextThatDiffersFromTheMarkupHasNoLinks(text: String, html: String) {
        #expect(links(html, in: text) == [])
    }

    @Test(arguments: [
        ("<a href=x>a<a href=y>b</a>c", ["[a](x)", "[b](y)"]),
        ("<a href>a</a><a href = 'y z' >b</a>", ["[b](y z)"]),
        ("<!-- <a href=x> -->a<a href=\"y>z\">b</a >", ["[b](y>z)"]),
        ("1 < 2 & <a\nhref=x>3</a>", ["[3](x)"]), ("<a href=x>a", ["[a](x)"]),
    ])
    func malformedMarkupIsReadAsInBrowsers(html: String, expected: [String]) {
        #expect(links(html) == expected)
    }

    @Test func mutatedMarkupDoesNotCrash() {
        let pieces = [
            "<", ">", "a", "</a>", "<a href=", "\"", "'", "&", ";", "#", "x", "é", " ", "\n", "=",
            "&amp;", "<!--", "-->", "<p>", "\u{0}", "🌌", "/",
        ]
        var random = SplitMix(state: 7)
        for _ in 0..<3000 {
            let count = Int.random(in: 0...12, using: &random)
            let html = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let text = HTMLText(html).explanation
            for link in TextLink.all(in: text, from: html) {
                #expect(String(validating: Array(text.utf8)[link.range], as: UTF8.self) != nil)
            }
        }
    }
}
