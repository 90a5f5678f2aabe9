import CommandLine
import Service

/// The tables of settings in `docs/configuration.md`.
enum SettingsTable {
    static var text: String {
        let options = Settings.all.map(\.option)
        return """

            \(table(options.filter { $0.scope != .advancedSetting }))

            ### Advanced

            \(table(options.filter { $0.scope == .advancedSetting }))

            """
    }

    private static func table(_ options: [Option]) -> String {
        let head = ["| option | variable | default | meaning |", "|---|---|---|---|"]
        return (head + options.map(row)).joined(separator: "\n")
    }

    private static func row(_ option: Option) -> String {
        let placeholder = option.value.map { " \($0.placeholder)" } ?? ""
        let cells = [
            option.spellings.map { "`\($0)\(placeholder)`" }.joined(separator: ", "),
            "`\(option.variable)`",
            option.value.map { $0.defaultText ?? "none" } ?? "off",
            option.summary,
        ]
        // A bar would end the cell.
        return "| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |"
    }
}

/// The settings in `/etc/default/apod-mirror`.
enum DefaultFile {
    static var text: String {
        let options = Settings.all.map(\.option)
        return options.filter { $0.name != "root" && $0.scope == .setting }.map { option in
            // Of others the default is described in words.
            let isWords = option.value?.defaultText?.contains { $0 == " " || $0 == "'" } ?? false
            let value = isWords ? nil : option.value?.defaultText
            return """

                # \(option.summary)
                #\(option.variable)=\(value ?? option.value?.placeholder ?? "no")
                """
        }.joined(separator: "\n")
    }
}
