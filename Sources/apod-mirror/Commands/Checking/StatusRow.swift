import CommandLine
import Platform

/// A row of `apod-mirror status`: a label, and a value, which continues below itself on a narrow terminal.
struct StatusRow {
    /// Which part has a color.
    enum Emphasis {
        case none
        case label(TerminalStyle.Style)
        case value(TerminalStyle.Style)
    }

    /// The width of the column of labels.
    private static let indent = 12
    /// The columns that a value gets on the narrowest terminal.
    private static let minimumWidth = 20

    private let label: String
    private let value: String
    private let emphasis: Emphasis
    private let mayWrap: Bool

    /// An empty label continues the row above; a path may not wrap.
    init(
        _ label: String, _ value: String, _ emphasis: Emphasis = .none, mayWrap: Bool = true
    ) {
        (self.label, self.value) = (label, value)
        (self.emphasis, self.mayWrap) = (emphasis, mayWrap)
    }

    /// The row for a terminal with `columns`; `nil` for lines of any length.
    func text(_ style: TerminalStyle, columns: Int?) -> TerminalText {
        let space = String(repeating: " ", count: Self.indent)
        var lines = [value]
        if mayWrap, let columns {
            lines = value.wrapped(to: max(Self.minimumWidth, columns - Self.indent))
        }
        var first: TerminalText = "\(label)\(space.dropFirst(label.count))"
        var values: [TerminalText] = lines.map { "\($0)" }
        switch emphasis {
        case .none: break
        case .label(let color): first = style(label, color, width: Self.indent)
        case .value(let color): values = lines.map { style($0, color) }
        }
        return "\(first)\(values.joined(separator: "\n\(space)"))\n"
    }
}
