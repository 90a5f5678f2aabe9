import Testing

@testable import APOD

@Suite(.timeLimit(.minutes(10))) struct VideoPageURLTests {
    @Test(arguments: [
        (
            "https://www.youtube.com/embed/M6-iC_aYcug?rel=0",
            "https://www.youtube.com/watch?v=M6-iC_aYcug"
        ),
        (
            "//www.youtube.com/embed/DmYK479EpQc?vq=hd720",
            "https://www.youtube.com/watch?v=DmYK479EpQc"
        ),
        (
            "https://www.youtube-nocookie.com/embed/M6-iC_aYcug?start=90",
            "https://www.youtube.com/watch?v=M6-iC_aYcug&t=90"
        ),
        (
            "https://www.youtube-nocookie.com/v/M6-iC_aYcug",
            "https://www.youtube.com/watch?v=M6-iC_aYcug"
        ),
        (
            "https://www.youtube-nocookie.com/watch?v=M6-iC_aYcug",
            "https://www.youtube.com/watch?v=M6-iC_aYcug"
        ),
        ("http://youtu.be/M6-iC_aYcug?t=5", "https://www.youtube.com/watch?v=M6-iC_aYcug&t=5"),
        (
            "https://www.youtube.com/watch?v=M6-iC_aYcug",
            "https://www.youtube.com/watch?v=M6-iC_aYcug"
        ),
        (
            "https://www.youtube.com/embed/videoseries?list=PL123",
            "https://www.youtube.com/playlist?list=PL123"
        ),
        ("//player.vimeo.com/video/80568171?portrait=0", "https://vimeo.com/80568171"),
        ("https://player.vimeo.com/video/80568171?h=ab12", "https://vimeo.com/80568171/ab12"),
        ("https://vimeo.com/80568171/ab12", "https://vimeo.com/80568171/ab12"),
        ("https://vimeo.com/80568171/settings", "https://vimeo.com/80568171"),
        ("https://player.vimeo.com/video/80568171?h=", "https://vimeo.com/80568171"),
        ("https://www.youtube.com/user/NASAJPLnews", "https://www.youtube.com/user/NASAJPLnews"),
        (
            "https://www.youtube.com/live/M6-iC_aYcug?feature=share",
            "https://www.youtube.com/watch?v=M6-iC_aYcug"
        ),
        ("https://player.vimeo.com/video/x", "https://player.vimeo.com/video/x"),
        ("http://svs.gsfc.nasa.gov/1234", "https://svs.gsfc.nasa.gov/1234"),
        ("https://www.youtube.com/@nasa", "https://www.youtube.com/@nasa"),
        ("http://sci.esa.int/comet-viewer/?a=b", "https://sci.esa.int/comet-viewer/?a=b"),
        (
            "https://assets.science.nasa.gov/a film.mp4",
            "https://assets.science.nasa.gov/a%20film.mp4"
        ),
    ])
    func aVideoHasAPage(video: String, page: String) {
        #expect(VideoPageURL(of: video)?.url == page)
    }

    @Test(arguments: [
        "", "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x",
        "http://127.0.0.1:8099/film.mp4", "https://notyoutube.com/embed/M6-iC_aYcug",
        "https://example.org/video", "https://www.youtube.com:8080/watch?v=x",
        "https://www.youtube.com@example.org/", "https://nasa.gov.example.org/",
        "https://user@www.nasa.gov/", "https://192.168.1.1/",
    ])
    func unknownSitesAreRejected(video: String) {
        #expect(VideoPageURL(of: video) == nil)
    }

    @Test(arguments: [
        ("https://science.nasa.gov/image-article/x/", "https://science.nasa.gov/image-article/x/"),
        ("http://apod.nasa.gov/apod/ap070713.html", "https://apod.nasa.gov/apod/ap070713.html"),
        ("https://example.org/", nil), ("https://www.youtube.com/watch?v=M6-iC_aYcug", nil),
    ])
    func onlyAPageOfNASAReplacesAVideo(article: String, page: String?) {
        #expect(VideoPageURL(article: article)?.url == page)
    }
}
