import APOD
import Testing

@testable import Views

struct HTMLTests {
    @Test func textIsEscapedAndMarkupIsNot() {
        let title = "<script>alert(\"1\")</script> & 'so' on"
        let inner: HTML = "<b>\(title)</b>"
        let page: HTML = "<p title=\"\(title)\">\(inner)</p>"
        let escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;so&#39; on"

        #expect(page.text == "<p title=\"\(escaped)\"><b>\(escaped)</b></p>")
    }

    @Test func linksLeadToWebServersOnly() {
        let text = "A <b>, c\n\nd & e"
        let html =
            "<a href=\"//a.gov/'#b\">A</a> <a href='ftp://b'>&lt;b></a>, c<p><a href='http://d/\">#e'>d & e</a>"
        let page = HTML(paragraphs: text, links: TextLink.all(in: text, from: html))

        let rel = "rel=\"noopener noreferrer\""
        #expect(
            page.text == """
                <p><a href="https://a.gov/&#39;#b" \(rel)>A</a> &lt;b&gt;, c</p>
                <p><a href="http://d/%22%3E#e" \(rel)>d &amp; e</a></p>

                """)
    }
}

extension HTML {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
