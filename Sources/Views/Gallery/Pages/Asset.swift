internal import APOD
internal import CGalleryAssets
internal import JSON

/// The style sheet, the scripts and the icon: the files of `CGalleryAssets`, which are built into the program.
enum Asset {
    /// The comment at the beginning of each script.
    static let mark = "Part of the gallery of apod-mirror."

    /// The files with their names in the directory of the pages.
    static let all: [(name: String, bytes: [UInt8])] = {
        var assets = [("foldings.js", foldings)]
        var index = 0
        while case let asset = unsafe gallery_asset(index), let name = unsafe asset.name {
            unsafe assets.append((String(cString: name), Array(String(cString: asset.text).utf8)))
            index += 1
        }
        return assets
    }()

    /// The table of ``SearchFolding`` as a script.
    private static let foldings: [UInt8] = {
        let members = SearchFolding.table.sorted { $0.key < $1.key }.map { character, folded in
            JSON.Member(key: String(character), value: .string(folded))
        }
        return Array("// \(mark)\nconst foldings = \(JSON.object(members).line);\n".utf8)
    }()
}
