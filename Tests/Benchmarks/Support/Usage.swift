import Glibc

/// The resource usage of one run of a program.
struct Usage {
    let seconds: Double
    /// The CPU time of all processors, in seconds.
    let processor: Double
    /// The peak resident memory, in bytes.
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
