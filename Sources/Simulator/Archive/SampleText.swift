/// Text for generated entries; `*` is replaced by the subject.
enum SampleText {
    static let subjects = [
        "The Crab Nebula", "The Andromeda Galaxy", "The Pelican Nebula", "Messier 13",
        "The Rosette Nebula", "NGC 1300", "The Veil Nebula", "Comet Lovejoy", "The Pleiades",
        "Barnard's Loop", "The Whirlpool Galaxy", "The Horsehead Nebula", "Omega Centauri",
        "The Heart Nebula", "Centaurus A", "The Ring Nebula", "The Sombrero Galaxy", "Arp 273",
        "The Tarantula Nebula", "The Lagoon Nebula",
    ]

    static let titles = [
        "*", "* in Narrowband", "* from Webb", "* over Mount Teide", "A Closer Look at *",
        "* and Friends", "Star Trails and *", "*: 40 Hours of Light", "Inside *", "* Rising",
        "* at the Edge of Night", "Dust and Light around *",
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
        "What surrounds this famous corner of the sky?",
        "The featured image shows * in the light of hydrogen, sulfur &amp; oxygen.",
        "Located about 6,500 light-years away, * spans some 30 light-years.",
        "Its light set out when on Earth the first cities were built.",
        "Energetic light from young stars makes the gas glow, while winds carve the dust.",
        "To see * for yourself, use a small telescope and a dark, moonless night.",
        "Astronomers are not sure how it got its shape, and research is ongoing.",
        "The picture combines 40 hours of exposure, taken over eleven nights.",
        "In a few million years, little of * will be left to see.",
        "Look for the faint spiral galaxy in the upper left: it lies far in the background.",
    ]

    static let tomorrow = ["a harvest", "open space", "light-weekend", "moon shadow", "just dust"]

    static let photographers = [
        "Ana Lindqvist", "Tomás Rivera", "Mei Tanaka", "Pierre Dubois", "Jürgen Köhler",
        "Sofia Marchetti", "Kwame Mensah", "Elif Yılmaz",
    ]

    static let institutions = [
        "NASA, ESA, CSA, STScI", "NASA/JPL-Caltech", "ESO &amp; VLT Survey Telescope",
        "NOIRLab, NSF, AURA", "NASA; <em>Processing</em>: G. Kober (NASA/Catholic University)",
    ]
}
