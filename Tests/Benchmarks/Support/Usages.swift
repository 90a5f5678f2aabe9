extension [Usage] {
    /// The median; the upper one of two.
    func median(_ figure: (Element) -> Double) -> Double {
        map(figure).sorted()[count / 2]
    }

    /// The medians as a line of a table.
    ///
    /// - Parameters:
    ///   - name: The name of the measured program.
    ///   - bytes: The bytes that each run transferred, if they are to be shown.
    /// - Returns: The line, without its end.
    func row(_ name: String, bytes: Int? = nil) -> String {
        let seconds = median(\.seconds)
        let peak = (map(\.peak).max() ?? 0) / 1e6
        let rate = bytes.map { (Double($0) / seconds / 1e6).short.padded(-8) + " MB/s" } ?? ""
        return "  " + name.padded(12) + seconds.short.padded(-8) + " s"
            + median(\.processor).short.padded(-8) + " s of processors" + peak.short.padded(-8)
            + " MB at most" + rate
    }
}

extension [Double] {
    /// The percentile of the figures.
    func percentile(_ percent: Int) -> Double {
        let sorted = sorted()
        return sorted[Swift.min(count * percent / 100, count - 1)]
    }
}

extension Duration {
    var milliseconds: Double { self / .milliseconds(1) }
}
