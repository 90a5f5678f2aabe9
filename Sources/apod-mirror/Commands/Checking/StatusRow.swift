import CommandLine
import Platform

/// A row of `apod-mirror status`: `favorites   12, 1 held (link gone)`.
///
/// A value that is too long for the terminal continues below itself.
struct StatusRow {
    /// The part that has a color.
    enum Emphasis {
        case none
        case label(TerminalStyle.Style)
        case value(TerminalStyle.Style)
    }

    /// The width of the column of labels.
    private static let indent = 12
    /// A value gets so many columns even on a narrower terminal.
    private static let minimumWidth = 20

    private let label: String
    private let value: String
    private let emphasis: Emphasis
    private let mayWrap: Bool

    /// Makes a row; an empty label continues the row above, and a path may not wrap, because people copy it.
    init(_ label: String, _ value: String, _ emphasis: Emphasis = .none, mayWrap: Bool = true) {
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
        var styledLabel: TerminalText = "\(label)\(space.dropFirst(label.count))"
        var values: [TerminalText] = lines.map { "\($0)" }
        switch emphasis {
        case .none: break
        case .label(let color): styledLabel = style(label, color, width: Self.indent)
        case .value(let color): values = lines.map { style($0, color) }
        }
        return "\(styledLabel)\(values.joined(separator: "\n\(space)"))\n"
    }
}
