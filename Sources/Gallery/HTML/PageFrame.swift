internal import Mirror

/// What all pages of the gallery have around them.
struct PageFrame {
    /// The folder of all pages but the first.
    static let folder = "gallery"

    /// What the browser may load: our own files and nothing else.
    ///
    /// So no script of NASA's would run that got past the escaping. `file:` is for browsers that do not
    /// count it as `'self'`.
    private static let policy: HTML = """
        default-src 'none'; img-src 'self' file:; media-src 'self' file:; style-src 'self' file:; \
        script-src 'self' file:; form-action 'self' file:; base-uri 'none'
        """

    let title: String
    /// Whether it is the first page, which lies in the root.
    var isFront = false
    /// Another script than that of all pages.
    var script: HTML?

    /// The way from the page to the root of the mirror.
    var base: HTML { isFront ? "" : "../" }
    /// The way from the page to the other pages.
    var pages: HTML { isFront ? "gallery/" : "" }

    /// The page, with `content` as its main part.
    func page(_ content: HTML) -> [UInt8] {
        var page = start
        page += content
        page += Self.end
        return page.bytes
    }

    /// All that comes before the main part.
    var start: HTML {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <title>\(title)</title>
        <link rel="icon" href="\(pages)icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="\(pages)style.css">
        <script src="\(pages)gallery.js" defer></script>
        \(script)</head>
        <body>
        <header class="top">
        \(home)
        <nav aria-label="Gallery">
        <a href="\(pages)favorites.html">Favorites</a>
        <a href="\(base)index.html#years">Years</a>
        </nav>
        <form class="search" role="search" action="\(pages)search.html">
        <input type="search" name="q" placeholder="Search" aria-label="Search titles and texts" \
        autocomplete="off" spellcheck="false">
        </form>
        </header>
        <main>

        """
    }

    /// The name of all of it, which is the heading of the first page.
    private var home: HTML {
        let link: HTML =
            "<a class=\"home\" href=\"\(base)index.html\">Astronomy Picture of the Day</a>"
        return isFront ? "<h1>\(link)</h1>" : link
    }

    /// All that comes after the main part.
    static let end: HTML = """
        </main>
        <footer>
        <p>A mirror of NASA’s \
        <a href="https://science.nasa.gov/apod" rel="noopener noreferrer">Astronomy Picture of the Day</a>, \
        kept by apod-mirror. The pictures belong to whom their credit names.</p>
        </footer>
        </body>
        </html>

        """
}
