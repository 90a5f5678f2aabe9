import CommandLine
import Platform
import Service
import Testing

/// The files that are made from the declarations of commands and options.
@Suite(.timeLimit(.minutes(10))) struct GeneratedFileTests {
    @Test(arguments: GeneratedFile.all)
    func theFileMatchesTheDeclarations(file: GeneratedFile) throws {
        if processEnvironment()["APOD_MIRROR_WRITE"] == "1" { try file.write() }

        let (current, expected) = (try file.current(), try file.expected())

        #expect(current == expected, "\(file.path) is stale: run “make docs”")
    }

    @Test func theDefaultsInTheHelpAreThoseOfTheProgram() {
        for setting in Settings.all {
            guard let text = setting.option.value?.defaultText else { continue }
            var settings = Settings(root: "/")
            let before = "\(settings)"
            let isValid = (try? setting.read(&settings, text)) != nil

            // Of these the help says it in words.
            let words = ["upstream", "mirrors", "base-url", "v1"]
            let isWords = words.contains(setting.option.name)
            #expect(isValid != isWords, "\(setting.option.name)")
            #expect("\(settings)" == before, "\(setting.option.name)")
        }
    }
}
