import CommandLine

@testable import apod_mirror

/// The commands and options in the completions of bash, zsh and fish.
enum Completions {
    private static let commands = Command.allCases.filter { !$0.options.isEmpty }

    /// Each option once, with the commands that have it.
    private static var options: [(option: Option, commands: [Command])] {
        var options: [(option: Option, commands: [Command])] = []
        for command in commands {
            for option in command.options {
                if let index = options.firstIndex(where: { $0.option == option }) {
                    options[index].commands.append(command)
                } else {
                    options.append((option, [command]))
                }
            }
        }
        return options
    }

    private static var names: String {
        Command.allCases.map(\.rawValue).joined(separator: " ")
    }

    private static func quoted(_ text: String) -> String {
        "'\(text.replacing("'", with: "'\\''"))'"
    }

    static var bash: String {
        let cases = commands.map { command in
            let spellings = command.options.map(\.spelling).joined(separator: " ")
            return "        \(command.rawValue)) echo \(quoted(spellings)) ;;"
        }
        let values = options.filter { $0.option.value != nil }.map { option, _ in
            let value =
                switch option.value?.completion {
                case nil: "nothing"
                case .directory: "directory"
                case .words(let words): "words \(words.joined(separator: " "))"
                }
            return "        \(option.spelling)) echo \(quoted(value)) ;;"
        }
        return """
            _apod_mirror_commands='\(names)'

            # The options of a command.
            _apod_mirror_options() {
                case $1 in
            \(cases.joined(separator: "\n"))
                esac
            }

            # What the value of an option is.
            _apod_mirror_value() {
                case $1 in
            \(values.joined(separator: "\n"))
                esac
            }
            """
    }

    static var zsh: String {
        /// In a specification these characters have a meaning.
        func escaped(_ text: String) -> String {
            text.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
                .replacing("[", with: "\\[").replacing("]", with: "\\]")
        }
        let commands = Command.allCases.map {
            "    \(quoted("\($0.rawValue):\($0.summary)"))"
        }
        let specifications = options.map { option, _ in
            let action =
                switch option.value?.completion {
                case nil: ""
                case .directory: "_files -/"
                case .words(let words): "(\(words.joined(separator: " ")))"
                }
            let value = option.value.map { ":\(escaped($0.placeholder)):\(action)" } ?? ""
            let equals = option.value == nil ? "" : "="
            return "    \(option.name) \(quoted("\(equals)[\(escaped(option.summary))]\(value)"))"
        }
        let options = self.commands.map {
            "    \($0.rawValue) \(quoted($0.options.map(\.name).joined(separator: " ")))"
        }
        return """
            typeset -ga _apod_mirror_commands=(
            \(commands.joined(separator: "\n"))
            )
            # Specifications of options, for _arguments.
            typeset -gA _apod_mirror_specs=(
            \(specifications.joined(separator: "\n"))
            )
            # The options of each command.
            typeset -gA _apod_mirror_options=(
            \(options.joined(separator: "\n"))
            )
            """
    }

    static var fish: String {
        let commands = Command.allCases.map {
            "complete -c apod-mirror -n __fish_is_first_token -a \($0.rawValue)"
                + " -d \(quoted($0.summary))"
        }
        let options = self.options.map { option, commands in
            let value =
                switch option.value?.completion {
                case nil: option.value == nil ? "" : " -x"
                case .directory: " -x -a '(__fish_complete_directories)'"
                case .words(let words): " -x -a \(quoted(words.joined(separator: " ")))"
                }
            let short = option.shortSpelling.map { " -s \($0.dropFirst())" } ?? ""
            let names = commands.map(\.rawValue).joined(separator: " ")
            return
                "complete -c apod-mirror -n '__apod_mirror_is \(names)'\(short) -l \(option.name)"
                + "\(value) -d \(quoted(option.summary))"
        }
        return """
            \(commands.joined(separator: "\n"))
            complete -c apod-mirror -n '__apod_mirror_is help' -a '\(names)'

            \(options.joined(separator: "\n"))
            """
    }
}
