import CommandLine
import Service
import Transfer

extension Settings {
    /// Reads options, else variables, else defaults.
    init(_ arguments: Arguments) throws(CommandError) {
        let mirror = arguments.mirror
        self.init(root: mirror.root)
        typedRoot = mirror.typedRoot
        for setting in Self.all {
            guard let (source, text) = arguments.text(of: setting.option) else { continue }
            typed[setting.option.name] = text
            if let problem = setting.read(&self, text) { throw .usage("\(source): \(problem)") }
        }
        if upstream.hasSecrets {
            throw .usage(
                "--upstream contains a key or a password; put the key into \(APIKey.variable) or the"
                    + " credential \(APIKey.credential), which are never printed")
        }
    }
}
