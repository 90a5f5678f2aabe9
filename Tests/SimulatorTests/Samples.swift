import APOD
import Simulator

/// 2026-11-20, from which the other days are counted.
let today = Day(iso: "2026-11-20") ?? .first

extension Archive {
    /// Small pictures, because their contents do not matter.
    static func small(days: Int, extras: Extras = .all) -> Archive {
        .generated(newest: today, days: days, size: (60, 40), extras: extras)
    }

    /// The same with one day, whose media are those.
    static func single(_ media: SimulatedMedia, title: String = "M31") -> Archive {
        Archive([
            SimulatedEntry(day: today, title: title, explanationHTML: "Stars.", media: media)
        ])
    }
}

extension SimulatedPicture {
    static let small = SimulatedPicture(name: "M31.jpg", source: .bytes(Array("0123456789".utf8)))
}

/// The URL path of the originals of `today`.
let shelf = "/content/dam/science/cds/apod/apod/2026/november/"
/// The URL path of their renditions.
let dynamicShelf = "/dynamicimage/assets/science/cds/apod/apod/2026/november/"
