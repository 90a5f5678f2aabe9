/// The page that searches titles, texts and credits in the browser, without a server.
///
/// It loads a script for each year, newest first: a page opened as a file can load nothing else.
struct SearchPage {
    /// Newest first.
    let years: [Int]

    var page: [UInt8] {
        let list = years.map(String.init).joined(separator: " ")
        let content: HTML = """
            <div class="heading">
            <h1>Search</h1>
            </div>
            <noscript><p class="empty">A search needs JavaScript. All else here works without: the days are \
            on the pages of their years.</p></noscript>
            <p id="found" role="status"></p>
            <div class="grid" id="results" data-years="\(list)"></div>
            <p class="empty" id="more" hidden><button type="button">Show more</button></p>
            <nav class="months" aria-label="Years">
            \(years.map { "<a href=\"\($0).html\">\($0)</a>\n" as HTML })</nav>

            """
        return PageFrame(
            title: "Search – Astronomy Picture of the Day",
            script: "<script src=\"search.js\" defer></script>\n"
        ).page(content)
    }
}
