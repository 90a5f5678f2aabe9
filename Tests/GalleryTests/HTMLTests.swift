import Testing

@testable import Gallery

struct HTMLTests {
    @Test func textIsShownAndMarkupIsMarkup() {
        let title = "<script>alert(\"1\")</script> & 'so' on"
        let inner: HTML = "<b>\(title)</b>"
        let page: HTML = "<p title=\"\(title)\">\(inner)</p>"
        let escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;so&#39; on"

        #expect(page.text == "<p title=\"\(escaped)\"><b>\(escaped)</b></p>")
    }
}

extension HTML {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
