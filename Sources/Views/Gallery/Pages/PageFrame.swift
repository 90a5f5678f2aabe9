internal import Mirror

/// The common part of all pages of the gallery: head, navigation and footer.
struct PageFrame {
    /// The directory of all pages but the front page.
    static let folder = Layout.gallery

    /// The content security policy, by which the browser loads only files of the mirror.
    ///
    /// A script in a text of NASA would not run even if the text were not escaped. `file:` is for browsers that do not count a
    /// file as `'self'`.
    private static let policy: HTML = """
        default-src 'none'; img-src 'self' file:; media-src 'self' file:; style-src 'self' file:; \
        script-src 'self' file:; form-action 'self' file:; base-uri 'none'
        """

    /// `nil` for the front page, which is in the root.
    let title: String?
    /// The names of additional scripts, in the order in which they run.
    var scripts: [String] = []
    /// For the page of a year, the names of its months such as `2026-11`.
    ///
    /// `address.js` opens a day that the address names, as `2026.html#2026-11-20` does, on the page of its month.
    var months: [String] = []

    private var isFrontPage: Bool { title == nil }
    /// The relative path from the page to the root of the mirror.
    private var root: HTML { isFrontPage ? "" : "../" }
    /// The relative path from the page to ``folder``.
    private var pages: HTML { isFrontPage ? "\(Self.folder)/" : "" }
    /// The relative path from the page to ``Asset/folder``.
    private var assets: HTML { "\(root)\(Asset.folder)/" }

    /// Returns the page with `content` as its main part.
    func page(_ content: HTML) -> [UInt8] { ("\(start)\(content)\(Self.end)" as HTML).bytes }

    /// The part before the main part; `address.js` runs before anything is loaded, because it may leave the page.
    var start: HTML {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="generator" content="apod-mirror">
        <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <title>\(title.map { "\($0) – " as HTML })Astronomy Picture of the Day</title>
        <script src="\(assets)address.js" data-months="\(months.joined(separator: " "))"></script>
        <link rel="icon" href="\(assets)icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="\(assets)style.css">
        \((["gallery.js", "zoom.js"] + scripts).map(script))</head>
        <body>
        <header class="top">
        \(home)
        <nav aria-label="Gallery">
        <a href="\(pages)favorites.html">Favorites</a>
        <a href="\(root)index.html#years">Years</a>
        <a href="\(pages)anyday.html">Any day</a>
        <a href="\(pages)objects.html">Objects</a>
        <a href="\(pages)slideshow.html">Slideshow</a>
        </nav>
        <form class="search" role="search" action="\(pages)search.html">
        <input type="search" name="q" placeholder="Search" aria-label="Search titles and texts" \
        autocomplete="off" spellcheck="false">
        </form>
        </header>
        <main>

        """
    }

    private func script(_ name: String) -> HTML {
        "<script src=\"\(assets)\(name)\" defer></script>\n"
    }

    /// The link to the front page, on which it is the heading.
    private var home: HTML {
        let link: HTML =
            "<a class=\"home\" href=\"\(root)index.html\"><span>Astronomy Picture of the Day</span></a>"
        return isFrontPage ? "<h1>\(link)</h1>" : link
    }

    static let end: HTML = """
        </main>
        <footer>
        <p>A mirror of NASA’s \
        <a href="https://science.nasa.gov/apod" rel="noopener noreferrer">Astronomy Picture of the Day</a>, \
        kept by apod-mirror. The pictures belong to those whom their credits name.</p>
        </footer>
        </body>
        </html>

        """
}
