/// A figure and its limit.
struct Goal {
    enum Bound {
        case atMost(Double), atLeast(Double), exactly(Double)
    }

    private let name: String
    private let unit: String
    private let value: Double
    private let bound: Bound

    init(_ name: String, unit: String, _ value: Double, _ bound: Bound) {
        self.name = name
        self.unit = unit
        self.value = value
        self.bound = bound
    }

    /// The peak memory of several runs, and its limit in MB.
    static func peak(_ name: String, _ usages: [Usage], atMost limit: Double = 32) -> Goal {
        let peak = usages.map(\.peak).max() ?? 0
        return Goal("\(name): peak memory", unit: "MB", peak / 1e6, .atMost(limit))
    }

    var isMet: Bool {
        switch bound {
        case .atMost(let limit): value <= limit
        case .atLeast(let limit): value >= limit
        case .exactly(let number): value == number
        }
    }

    static func table(_ goals: [Goal]) -> String {
        "\n" + goals.map { $0.line + "\n" }.joined()
    }

    private var line: String {
        let goal =
            switch bound {
            case .atMost(let limit): "at most \(limit.short)"
            case .atLeast(let limit): "at least \(limit.short)"
            case .exactly(let number): "exactly \(number.short)"
            }
        return name.padded(56) + value.short.padded(-8) + " " + unit.padded(4) + goal.padded(16)
            + (isMet ? "met" : "MISSED")
    }
}

extension Double {
    /// With two decimals if they are significant.
    var short: String {
        guard self != rounded() else { return String(Int(self)) }
        return self >= 100 ? String(Int(rounded())) : String((self * 100).rounded() / 100)
    }
}

extension String {
    /// Padded with blanks to `width` columns, on the left if negative.
    func padded(_ width: Int) -> String {
        let blanks = String(repeating: " ", count: Swift.max(0, Swift.abs(width) - count))
        return width < 0 ? blanks + self : self + blanks
    }
}
