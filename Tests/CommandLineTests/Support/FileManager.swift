import Glibc
import Platform

/// A file manager in which users create favorites.
enum FileManager: String, CaseIterable {
    case thunar, pcmanfm

    /// The installed ones.
    static let installed = allCases.filter { isInstalled($0.rawValue) }

    static func isInstalled(_ program: String) -> Bool {
        (processEnvironment()["PATH"] ?? "").split(separator: ":").contains {
            unsafe access("\($0)/\(program)", X_OK) == 0
        }
    }

    /// A script that opens a window for each of two folders.
    var script: String {
        switch self {
        case .thunar: #"thunar "$1" "$2""#
        // Two folders at once are two tabs of one window.
        case .pcmanfm:
            #"pcmanfm "$1" & xdotool search --sync --onlyvisible --name "^${1##*/}$"; pcmanfm -n "$2"; wait"#
        }
    }

    /// The title of the window of the folder `$1`.
    var title: String {
        switch self {
        case .thunar: "^${1##*/} - Thunar"
        case .pcmanfm: "^${1##*/}$"
        }
    }

    /// The position of the first file in a window in the upper left corner.
    var place: String {
        switch self {
        case .thunar: "233 130"
        case .pcmanfm: "206 98"
        }
    }
}
