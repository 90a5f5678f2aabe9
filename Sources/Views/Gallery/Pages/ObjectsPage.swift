internal import APOD

/// The page `objects.html`: the objects that texts name by catalogue, each with a link that searches for it.
struct ObjectsPage {
    /// The number of days whose texts name each object.
    let counts: [CatalogueObject: Int]

    var page: [UInt8] {
        let objects = Dictionary(grouping: counts.keys.sorted(), by: \.catalogue)
        let catalogues = CatalogueObject.Catalogue.allCases.filter { objects[$0] != nil }
        return PageFrame(title: "Objects").page(
            """
            <div class="heading">
            <h1>Objects</h1>
            </div>
            <p class="lead">\(counts.isEmpty ? Self.absence : Self.explanation)</p>
            <nav class="months" aria-label="Catalogues">
            \(catalogues.map { "<a href=\"#\($0.rawValue)\">\($0.title)</a>\n" as HTML })</nav>
            \(catalogues.map { section($0, objects[$0] ?? []) })
            """)
    }

    private static let explanation: HTML =
        "What the texts name by catalogue, and on how many days. A link searches for them."
    private static let absence: HTML = "The texts name nothing by catalogue yet."

    private func section(
        _ catalogue: CatalogueObject.Catalogue, _ objects: [CatalogueObject]
    ) -> HTML {
        let items = objects.map { object -> HTML in
            """
            <li><a href="search.html?q=\(object.searchTerm)&amp;all">\(object.name)</a> \
            <span class="count">\(counts[object] ?? 0)</span></li>

            """
        }
        return """
            <section class="objects" id="\(catalogue.rawValue)">
            <h2>\(catalogue.title)</h2>
            <ul>
            \(items)</ul>
            </section>

            """
    }
}
