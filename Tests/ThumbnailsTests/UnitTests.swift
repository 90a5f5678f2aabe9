import FoundationEssentials
import TestSupport
import Testing
import ThumbnailProtocol
import Thumbnails

/// The memory limits of the systemd units.
@Suite struct UnitTests {
    private static let units = sourceTree

    /// The maximum memory of the daemon and of its decoders.
    private static let daemon = 120 << 20

    @Test(arguments: ["apod-mirror.service", "apod-mirror.user.service"])
    func allDecodersAndTheDaemonFitIntoTheMemoryLimit(_ unit: String) throws {
        let text = try String(
            contentsOfFile: "\(Self.units)/systemd/\(unit)", encoding: .utf8)
        let options = Thumbnails.Options()
        let limits = text.split(separator: "\n").compactMap { line -> Int? in
            guard line.hasPrefix("MemoryMax=") || line.hasPrefix("MemoryHigh="), line.hasSuffix("M")
            else { return nil }
            return Int(line.drop { $0 != "=" }.dropFirst().dropLast())
        }

        #expect(!limits.isEmpty)
        for limit in limits {
            #expect(Self.daemon + options.limits.memory < limit << 20)
        }
    }
}
