import APOD
import Glibc
import JSON
import Mirror
import Platform
import TestSupport
import Testing

@testable import Views

/// Text in pages is escaped, and the pages are valid HTML.
@Suite(.timeLimit(.minutes(10))) struct HTMLTests {
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

    @Test(.enabled(if: unsafe access(tidy, X_OK) == 0, "needs Debian's tidy"))
    func tidyReportsNoError() async throws {
        try await withMirror { mirror in
            try mirror.add(
                day("2026-11-20"), "<b>Bold & \"quoted\" 'title'</b>\u{2028}",
                [
                    "explanation": "a < b && c > d\n\n\n<p>\u{7}", "credit": "</div>", "alt": "\"",
                    "permalink": "https://science.nasa.gov/?a=1&b=\"2\"",
                ])
            try mirror.add(
                day("2025-11-20"), "A Film",
                [
                    "video": ["url": "https://player.vimeo.com/video/1?a=1&b=2"], "credit": "X",
                    "copyright": "Y",
                ])
            try mirror.record(
                day("2025-11-19"), "Nothing",
                ["no_picture": ["reason": "<i>", "since": "2025-11-19T00:00:00Z"]])
            mirror.favorites = [day("2026-11-20"), day("2024-01-01")]
            try await mirror.refresh()
            for path in try mirror.pages where path.hasSuffix(".html") {
                // tidy does not support the newer attributes "loading" and "decoding".
                let ending = try run([
                    tidy, "-q", "-e", "--warn-proprietary-attributes", "no", "-f",
                    "\(mirror.root)/report",
                    "\(mirror.root)/\(path)",
                ])
                let report = try mirror.text("report")
                #expect(ending == 0 && report == "", "\(path): \(report ?? "")")
            }
        }
    }
}

private let tidy = "/usr/bin/tidy"

/// Runs a program and waits for its end.
private func run(_ command: [String]) throws -> Int32 {
    let process = try spawn(command, environment: [], (nil, nil, nil))
    var status: Int32 = 0
    try retryingInterrupts("waitpid", path: command[0]) { unsafe waitpid(process, &status, 0) }
    return status
}

extension HTML {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
