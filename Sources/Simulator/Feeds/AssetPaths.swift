internal import APOD

/// A file that can be asked for by one of its paths.
struct SimulatedAsset: Sendable {
    enum Form: Sendable {
        case original
        /// In any size.
        case dynamic
        /// As the v1 feed's page shows it: smaller, or a still of a film.
        case shown
    }

    let file: SimulatedPicture
    let form: Form
}

extension SimulatedEntry {
    /// Where the original of `file` is.
    package func originalPath(of file: SimulatedPicture) -> String {
        "/content/dam/\(shelf)/\(file.name)"
    }

    /// Where `file` is in any size.
    func dynamicPath(of file: SimulatedPicture) -> String {
        "/dynamicimage/assets/\(shelf)/\(file.name)"
    }

    /// Where the v1 feed has `file`: the large one, and what its page shows.
    func v1Paths(of file: SimulatedPicture) -> (large: String, shown: String) {
        let large = file.v1Paths.first ?? "/apod/image/\(day.compact.prefix(4))/\(file.name)"
        return (large, file.v1Paths.last ?? large)
    }

    /// Everything that can be asked for, by decoded path.
    var assets: [String: SimulatedAsset] {
        var assets: [String: SimulatedAsset] = [:]
        for file in media.files {
            let v1 = v1Paths(of: file)
            assets[v1.shown.trimmingTrailingBlanks] = SimulatedAsset(file: file, form: .shown)
            for path in [originalPath(of: file), v1.large] {
                assets[path.trimmingTrailingBlanks] = SimulatedAsset(file: file, form: .original)
            }
            assets[dynamicPath(of: file)] = SimulatedAsset(file: file, form: .dynamic)
        }
        return assets
    }

    private var shelf: String {
        "science/cds/apod/apod/\(day.year)/\(Day.months[day.month - 1])"
    }
}

extension String {
    /// Some addresses of the archive end in a blank, which no browser sends.
    var trimmingTrailingBlanks: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
