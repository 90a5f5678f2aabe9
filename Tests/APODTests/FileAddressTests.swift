import APOD
import Testing

/// Which addresses lead to the same file.
@Suite struct FileAddressTests {
    private static let archive = "/content/dam/science/cds/apod/apod/2026/november/"

    @Test(arguments: [
        (
            "https://apod.nasa.gov/apod/image/2401/a.jpg",
            "https://science.nasa.gov/apod/image/2401/a.jpg"
        ),
        ("https://assets.science.nasa.gov\(archive)a.jpg", "https://images.example\(archive)a.jpg"),
        (
            "https://assets.science.nasa.gov/dynamicimage/assets/science/cds/apod/a.jpg?w=1280&h=960",
            "https://assets.science.nasa.gov/dynamicimage/assets/science/cds/apod/a.jpg?w=4000&h=3000"
        ),
    ])
    func anotherHostOrSizeIsTheSameFile(first: String, second: String) {
        #expect(first.isURL(ofFileAt: second) && second.isURL(ofFileAt: first))
    }

    @Test(arguments: [
        (
            "https://apod.nasa.gov/apod/image/2401/a.jpg",
            "https://apod.nasa.gov/apod/image/2401/b.jpg"
        ),
        (
            "https://a.example/apod/image/2401/a.jpg?v=1",
            "https://a.example/apod/image/2401/a.jpg?v=2"
        ),
        ("https://a.example/pictures/a.jpg", "https://b.example/pictures/a.jpg"),
    ])
    func anotherPathOrQueryIsAnotherFile(first: String, second: String) {
        #expect(!first.isURL(ofFileAt: second) && !second.isURL(ofFileAt: first))
        #expect(!first.isURL(ofFileAt: nil))
    }
}
