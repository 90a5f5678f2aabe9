internal import CommandLine
internal import Platform
internal import Views

/// The settings of the generated files, ``ViewSettings``.
extension Settings {
    package static let thumbnails = Setting(
        \.views.makesThumbnails,
        Option(
            "thumbnails", value: "yes|no", default: "yes", summary: "make a thumbnail of each day",
            manual: """
                Make a thumbnail of each day, and of the newest 30 pictures that are larger than 1 MB also a \
                rendition of 1,600 pixels for the gallery.
                """,
            completion: .words(["yes", "no"])))

    package static let sidecars = Setting(
        \.views.writesSidecars,
        Option(
            "sidecars", summary: "write title, credit and rating beside each picture, as XMP",
            manual: """
                Write an XMP sidecar `NAME.xmp` beside each picture, for photo managers: title, text, credit, \
                copyright, license, and five stars for favorites. What other programs write there stays. Without \
                this option, sidecars that nobody has changed are removed.
                """))

    package static let baseURL = Setting(
        optional: \.views.baseURL,
        Option(
            "base-url", value: "URL", default: "none; addresses in feeds are relative",
            summary: "URL of the mirror's directory on a web server, for feeds and v1/"),
        expects:
            "a web address in ASCII, such as http://xn--bcher-kva.example/%C3%A4/, without user, blank, question mark and"
            + " fragment, http: or https:"
    ) { directoryURL($0) }

    package static let v1 = Setting(
        optional: \.views.v1Days,
        Option(
            "v1", value: "400|all", default: "400 with --base-url",
            summary: "number of newest days with a file in v1/, in the format of NASA's old API",
            manual: """
                Number of newest days that have a file in `v1`, in the format of NASA's old API; favorites have one, \
                too; 0 removes all. A large picture is shown by its copy in the gallery, if there is one.
                """,
            completion: .words(["0", "400", "all"])),
        expects: "a number or “all”"
    ) { text in text == "all" ? Int.max : number(text, 0...100_000) }

    package static let wallpapers = Setting(
        \.views.wallpapers.maximumCount,
        Option(
            "wallpapers", value: "30", default: "\(untyped.views.wallpapers.maximumCount)",
            summary: "links in wallpapers/ to the newest pictures that fit; 0 for no links",
            manual: """
                Number of links in `wallpapers` to the newest still pictures that fit a screen, searched in the \
                newest year, or in ten times as many days if that is more; 0 removes them. Names of favorites begin \
                with “favorite”.
                """,
            completion: .words(["0", "30", "100"])),
        expects: "a number from 0 to 1000"
    ) { number($0, 0...1000) }

    package static let wallpaperSize = Setting(
        \.views.wallpapers.screen,
        Option(
            "wallpaper-size", value: "1920x1080", default: "1920x1080",
            summary: "minimum long and short side of a wallpaper, in pixels",
            completion: .words(["1920x1080", "2560x1440", "3840x2160"])),
        expects: "a size in pixels such as 1920x1080", pixelSize)

    package static let wallpaperOrientation = Setting(
        \.views.wallpapers.orientation,
        Option(
            "wallpaper-orientation", value: "landscape|portrait|any",
            default: untyped.views.wallpapers.orientation.rawValue,
            summary: "orientation of wallpapers",
            completion: .words(["landscape", "portrait", "any"])),
        expects: "landscape, portrait or any", WallpaperOptions.Orientation.init)
}
