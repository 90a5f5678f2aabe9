/// The paths of NASA's feeds.
enum Routes {
    static let basic = "/wp-json/wp/v2/apod-basic"
    static let v1 = "/planetary/apod"
    /// What a redirect loop goes round.
    static let loop = "/redirect-loop"

    /// Where files are, of days that are published or not.
    static let media = ["/content/dam/", "/dynamicimage/", "/apod/image/", "/vi/", "/wp-content/"]
}
