internal import APOD

/// A file and how it is served at one of its paths.
struct SimulatedAsset: Sendable {
    let file: SimulatedPicture
    /// Whether the path leads to the reduced picture, or the still image of a video, unless a size is requested.
    var isReduced = false
}

extension SimulatedEntry {
    package func originalPath(of file: SimulatedPicture) -> String {
        "/content/dam/\(shelf(of: file))/\(file.name)"
    }

    /// The path of the picture in any size.
    func dynamicPath(of file: SimulatedPicture) -> String {
        "/dynamicimage/assets/\(shelf(of: file))/\(file.name)"
    }

    /// The paths in the v1 feed: of the large picture, and of the one on its page.
    func v1Paths(of file: SimulatedPicture) -> (large: String, shown: String) {
        let large = file.v1Paths.first ?? "/apod/image/\(day.compact.prefix(4))/\(file.name)"
        return (large, file.v1Paths.last ?? large)
    }

    /// All files by decoded path.
    var assets: [String: SimulatedAsset] {
        var assets: [String: SimulatedAsset] = [:]
        for file in media.files {
            let v1 = v1Paths(of: file)
            for path in [v1.shown, dynamicPath(of: file)] {
                assets[path.trimmingTrailingBlanks] = SimulatedAsset(file: file, isReduced: true)
            }
            for path in [originalPath(of: file), v1.large] {
                assets[path.trimmingTrailingBlanks] = SimulatedAsset(file: file)
            }
        }
        return assets
    }

    private func shelf(of file: SimulatedPicture) -> String {
        let month = file.shelf ?? day
        return "science/cds/apod/apod/\(month.year)/\(Day.months[month.month - 1])"
    }
}

extension StringProtocol {
    /// Some URLs of the archive end in spaces, which no browser sends.
    var trimmingTrailingBlanks: String {
        var text = String(self)
        while text.last == " " { text.removeLast() }
        return text
    }
}
