/// Texts and what people type to find them: the search of the command and that of the gallery must agree.
package let searchExamples: [(text: String, query: String, isFound: Bool)] = [
    ("Ångström’s Comet", "angstrom", true), ("Ångström’s Comet", "angstroms comet", true),
    ("Ångström’s Comet", "Ångström's", true), ("Rømer and Łódź", "romer", true),
    ("Rømer and Łódź", "LODZ", true), ("Đorđe Ðæs", "dorde daes", true),
    ("Œuvre, Ærø, Straße", "oeuvre", true), ("Œuvre, Ærø, Straße", "aero", true),
    ("Œuvre, Ærø, Straße", "strasse", true), ("ʻOumuamua", "oumuamua", true),
    ("Oumuamua", "'Oumuamua", true), ("Hubble's View", "hubbles view", true),
    ("A Wide-Field View", "wide field", true), ("A Wide Field View", "wide-field", true),
    ("Herbig–Haro 211", "herbig-haro", true), ("Herbig–Haro 211", "herbig haro", true),
    ("A Neb\u{AD}ula in 10\u{A0}000 Colors", "nebula", true),
    ("A Neb\u{AD}ula in 10\u{A0}000 Colors", "10 000", true),
    ("A blue\n nebula", "blue nebula", true), ("2026-05-01", "2026-05-01", true),
    ("CO₂ and E = mc²", "CO2", true), ("CO₂ and E = mc²", "mc2", true), ("CO2", "CO₂", true),
    ("10⁻¹⁹ and x₍ₙ₋₁₎", "10-19", true), ("10⁻¹⁹ and x₍ₙ₋₁₎", "x(n-1)", true),
    ("10⁶⁵", "1065", true), ("10⁶⁵", "65", true), ("mc²", "mc3", false),
    ("eˣ, Tₘₐₓ and Hᵦ", "ex", true), ("eˣ, Tₘₐₓ and Hᵦ", "TMAX", true),
    ("eˣ, Tₘₐₓ and Hᵦ", "hβ", true), ("APODᵀᴹ", "apodtm", true), ("eˣ", "ey", false),
    ("The NGC 7000 Nebula", "ngc7000", true), ("NGC-7000", "ngc 7000", true),
    ("NGC7000", "NGC-7000", true), ("IC\u{A0}1805", "ic1805", true), ("IC‑1805", "ic1805", true),
    ("M13", "m1", false), ("M 1", "m1", true), ("M1", "m 1", true),
    ("100 Years of M100", "m1", false),
    ("M13 and M1", "m1", true), ("Near M1: the Crab", "m1: the", true), ("M1’s", "m1", true),
    ("In 2019 M1 was seen", "m1", true), ("From 1 to 2", "m1", false), ("Film1", "m1", false),
    ("Sh2-155", "sh2 155", true), ("47 Tucanae", "47tuc", true), ("C/2023 A3", "c/2023a3", true),
    ("C/2023 A3", "c/2023", true), ("67P/Churyumov", "67 p", true), ("67P/Churyumov", "7p", false),
    ("Apollo 11", "apollo 1", false),
    ("A Wide Field", "widefield", false), ("Rømer", "rmer", false), ("Nebula", "nebular", false),
]

/// Texts, what people type of which they have a part or nothing, and what they may have meant: in the command and in the
/// gallery.
package let correctionExamples: [(text: String, query: String, correction: String?)] = [
    ("A galaxy and a galactic core", "galxy", "galaxy"),
    ("A galaxy and a galactic core", "galaxies", nil),
    ("The Andromeda Galaxy", "andormdea", "andromeda"), ("The Andromeda Galaxy", "galaxy", nil),
    ("The Andromeda Galaxy", "glaaxy", "galaxy"), ("The Andromeda Galaxy", "ndrmda", nil),
    ("The crab and its nebula", "crab nebla", "crab nebula"), ("A star", "starr", "star"),
    ("Ångström’s ink", "angstrm", "angstroms"), ("The Sun", "sum", nil), ("M31", "m32", nil),
    ("Mars, Mars and Mare", "mart", "mars"), ("Mare, mare and Mars", "mart", "mare"),
    ("Mare and Mars", "mart", "mare"),
]
