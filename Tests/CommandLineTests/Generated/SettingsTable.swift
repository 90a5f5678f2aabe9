import CommandLine
import Service

/// The tables of settings in `docs/configuration.md`.
enum SettingsTable {
    static var text: String {
        let options = Settings.all.map(\.option)
        return """

            \(table(options.filter { !$0.isAdvanced }))

            ### Advanced

            \(table(options.filter(\.isAdvanced)))

            """
    }

    private static func table(_ options: [Option]) -> String {
        let head = ["| option | variable | default | meaning |", "|---|---|---|---|"]
        return (head + options.map(row)).joined(separator: "\n")
    }

    private static func row(_ option: Option) -> String {
        let placeholder = option.placeholder.map { " \($0)" } ?? ""
        let cells = [
            option.spellings.map { "`\($0)\(placeholder)`" }.joined(separator: ", "),
            "`\(option.variable)`",
            option.defaultValue ?? (option.placeholder == nil ? "off" : "none"),
            option.summary,
        ]
        // A bar would end the cell.
        return "| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |"
    }
}

/// The settings in `/etc/default/apod-mirror`.
enum DefaultFile {
    static var text: String {
        Settings.all.map(\.option).filter { $0.name != "root" && !$0.isAdvanced }.map { option in
            // Of others the default is described in words.
            let isWords = option.defaultValue?.contains { $0 == " " || $0 == "'" } ?? false
            let value = isWords ? nil : option.defaultValue
            return """

                # \(option.summary)
                #\(option.variable)=\(value ?? option.placeholder ?? "no")
                """
        }.joined(separator: "\n")
    }
}
