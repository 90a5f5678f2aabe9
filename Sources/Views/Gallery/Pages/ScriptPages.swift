internal import APOD

/// The pages that scripts fill in the browser, without a server: `search.html`, `anyday.html` and `slideshow.html`.
///
/// The texts of all days are in one script for each year, see ``YearScripts``, because a page that was opened as a file can load
/// no other data. `cards.js` loads the scripts of the years in `data-years`. The other scripts of a page find its elements by
/// their `id`.
struct ScriptPages {
    /// Newest first.
    let years: [Int]

    /// The page that searches in the days of all years.
    var search: [UInt8] {
        let olderButton: HTML = "\n<button type=\"button\" id=\"older\" hidden></button>"
        return scriptPage(
            "Search", scripts: ["days.js", "foldings.js", "hits.js", "search.js"],
            subject: "A search",
            """
            \(results(moreLabel: "Show more", otherButtons: olderButton))
            \(yearLinks)
            """)
    }

    /// The page that shows any day since the first one, the same day in other years, or a random day.
    var anyDay: [UInt8] {
        scriptPage(
            "Any day", scripts: ["days.js", "anyday.js"],
            """
            <form class="choices">
            <label>Date <input type="date" id="date" min="\(Day.first.description)"></label>
            <button type="button" id="today">Today</button>
            <button type="button" id="random" disabled>A random day</button>
            </form>
            \(results(moreLabel: "All years"))
            \(yearLinks)
            """)
    }

    /// The page that shows one picture after the other in full screen.
    var slideshow: [UInt8] {
        let choices = years.map { "<option value=\"\($0)\">\($0)</option>\n" as HTML }
        return scriptPage(
            "Slideshow", scripts: ["days.js", "slideshow.js"],
            """
            <form class="choices" id="slideshow" data-years="\(yearList)">
            <label>Pictures <select name="choice">
            <option value="all">All</option>
            <option value="favorites">Favorites</option>
            \(choices)</select></label>
            <label>Order <select name="order">
            <option value="random">Random</option>
            <option value="newest">Newest first</option>
            <option value="oldest">Oldest first</option>
            </select></label>
            <label>Seconds <input type="number" name="seconds" value="10" min="1" max="3600" required></label>
            <button disabled>Loading …</button>
            </form>
            <p id="problem" role="status"></p>
            <p class="empty keys">→ and ← show the next and the previous picture, the space bar pauses, Esc ends. \
            A click shows the next one, too.</p>
            <p class="empty taps">A tap shows the next picture, × ends.</p>
            <div id="stage" tabindex="-1" hidden><p id="caption"></p>\
            <button type="button" id="end" aria-label="End">×</button></div>
            """)
    }

    /// The message, the days that were found, and the button for more of them with `otherButtons`.
    private func results(moreLabel: String, otherButtons: HTML = "") -> HTML {
        """
        <p id="found" role="status"></p>
        <div class="grid" id="results" data-years="\(yearList)"></div>
        <p class="empty more"><button type="button" id="more" hidden>\(moreLabel)</button>\(otherButtons)</p>
        """
    }

    private var yearList: String { years.map(String.init).joined(separator: " ") }

    /// Returns the page with `content`, and a note that `subject` does not work without scripts.
    private func scriptPage(
        _ title: String, scripts: [String], subject: HTML = "This page", _ content: HTML
    ) -> [UInt8] {
        PageFrame(title: title, scripts: ["cards.js"] + scripts).page(
            """
            <div class="heading">
            <h1>\(title)</h1>
            </div>
            <noscript><p class="empty">\(subject) requires JavaScript. Everything else works without it: \
            the pages of the years list all days.</p></noscript>
            \(content)

            """)
    }

    private var yearLinks: HTML {
        """
        <nav class="months" aria-label="Years">
        \(years.map { "<a href=\"\($0).html\">\($0)</a>\n" as HTML })</nav>
        """
    }
}
