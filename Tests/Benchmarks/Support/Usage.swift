import Glibc

/// What one run of a program cost.
struct Usage {
    let seconds: Double
    /// Of all processors together, in seconds.
    let processor: Double
    /// The most memory that was resident at once, in bytes.
    let peak: Double

    init(seconds: Double, _ resources: rusage) {
        self.seconds = seconds
        processor = resources.ru_utime.seconds + resources.ru_stime.seconds
        peak = Double(resources.ru_maxrss) * 1024
    }
}

extension Usage: LosslessStringConvertible {
    init?(_ description: String) {
        let numbers = description.split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 3 else { return nil }
        (seconds, processor, peak) = (numbers[0], numbers[1], numbers[2])
    }

    var description: String { "\(seconds) \(processor) \(peak)" }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
