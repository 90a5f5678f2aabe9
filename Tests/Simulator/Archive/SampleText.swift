/// Text for generated entries; `*` is replaced by the subject.
enum SampleText {
    static let titles = [
        "*", "*, Again", "A Closer Look at *", "*: From the Archive", "Another Look at *",
        "* in a New Light",
    ]

    /// Titles that are not valid file names.
    static let awkwardTitles = [
        "M31: A/B \"Quoted\" <Nebula> & More?", "Aurora over Reykjavík \u{1F30C}  ",
        "Étoiles filantes – l’été à l’Île d’Oléron", "Saturn\nat Night", "...", "CON",
        "A Very Long Exposure of " + String(repeating: "Dust, Gas, and Starlight in ", count: 12)
            + "Orion",
        "天の川 over Mount Fuji", "../../etc/passwd", "100% Moon \\ 50% Clouds | *Stars*",
    ]

    static let sentences = [
        "What does the featured picture show?",
        "There is more about * in NASA&#8217;s archive.",
        "This entry is simulated: its text was written for apod-mirror, its picture is real.",
        "The picture was made by NASA and belongs to everyone.",
        "Each day has a different picture, a title &amp; a short text.",
    ]

    static let tomorrow = ["a harvest", "open space", "light-weekend", "moon shadow", "just dust"]
}
