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
    private static let labelWidth = 12
    /// The minimum width of the column of values, even on a narrower terminal.
    private static let minimumValueWidth = 20

    private let label: String
    private let value: String
    private let emphasis: Emphasis
    private let mayWrap: Bool

    /// Makes a row; an empty label continues the row above.
    ///
    /// A value that people copy, such as a path, must not wrap.
    init(_ label: String, _ value: String, _ emphasis: Emphasis = .none, mayWrap: Bool = true) {
        self.label = label
        self.value = value
        self.emphasis = emphasis
        self.mayWrap = mayWrap
    }

    /// The row for a terminal with `columns`; `nil` for lines of any length.
    func text(_ style: TerminalStyle, columns: Int?) -> TerminalText {
        let indent = String(repeating: " ", count: Self.labelWidth)
        let plainLabel: TerminalText = "\(label)\(indent.dropFirst(label.count))"
        let lines = lines(columns: columns)
        let plainLines: [TerminalText] = lines.map { "\($0)" }
        let (styledLabel, styledLines) =
            switch emphasis {
            case .none: (plainLabel, plainLines)
            case .label(let color): (style(label, color, width: Self.labelWidth), plainLines)
            case .value(let color): (plainLabel, lines.map { style($0, color) })
            }
        return "\(styledLabel)\(styledLines.joined(separator: "\n\(indent)"))\n"
    }

    private func lines(columns: Int?) -> [String] {
        guard mayWrap, let columns else { return [value] }
        return value.wrapped(to: max(Self.minimumValueWidth, columns - Self.labelWidth))
    }
}
