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
        self.label = label
        self.value = value
        self.emphasis = emphasis
        self.mayWrap = mayWrap
    }

    /// The row for a terminal with `columns`; `nil` for lines of any length.
    func text(_ style: TerminalStyle, columns: Int?) -> TerminalText {
        let space = String(repeating: " ", count: Self.indent)
        let plainLabel: TerminalText = "\(label)\(space.dropFirst(label.count))"
        let lines = lines(columns: columns)
        let plainLines: [TerminalText] = lines.map { "\($0)" }
        let (styledLabel, styledLines) =
            switch emphasis {
            case .none: (plainLabel, plainLines)
            case .label(let color): (style(label, color, width: Self.indent), plainLines)
            case .value(let color): (plainLabel, lines.map { style($0, color) })
            }
        return "\(styledLabel)\(styledLines.joined(separator: "\n\(space)"))\n"
    }

    private func lines(columns: Int?) -> [String] {
        guard mayWrap, let columns else { return [value] }
        return value.wrapped(to: max(Self.minimumWidth, columns - Self.indent))
    }
}
