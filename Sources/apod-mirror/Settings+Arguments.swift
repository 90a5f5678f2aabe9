import CommandLine
import Service

extension Settings {
    /// Reads options, else variables, else defaults.
    init(_ arguments: Arguments) throws(CommandError) {
        let mirror = arguments.mirror
        self.init(root: mirror.root)
        typedRoot = mirror.typedRoot
        for setting in Self.all {
            guard let (source, text) = arguments.text(of: setting.option) else { continue }
            typed[setting.option.name] = setting.option.printed(text)
            if let problem = setting.read(&self, text) { throw .usage("\(source): \(problem)") }
        }
    }
}
