import APOD
import Testing

@testable import Mirror

/// The file names that other tools give to pictures of APOD.
@Suite struct NamedDayTests {
    private func named(_ path: String) -> NamedDay { NamedDay(in: Array(path.utf8)) }

    @Test(arguments: [
        "2026-11-20.jpg", "2026-11-20", "2026_11_20.png", "2026.11.20.jpg", "2026 11 20.gif",
        "2026-11-20_1024.jpg", "20261120.jpg", "apod-20261120.jpg", "apod_20261120_title.png",
        "APOD_2026-11-20 Title.png", "apod-2026-11-20-hd.jpg", "ap261120.jpg", "AP261120.JPG",
        "apod261120.jpg", "apod-261120.jpg", "ap261120_big.png", "2026/11/20.jpg",
        "apod/2026/11/20.jpg", "2026-11/20.jpg", "2026/11/20/picture.jpg", "2026-11-20/M31.jpg",
        "20261120/M31.jpg", "2026 November 20.jpg", "2026-nov-20.jpg", "20 November 2026.jpg",
        "November 20, 2026.jpg", "20-11-2026.jpg", "11.20.2026.jpg",
        "2026-11-20 The Crab on 2019-01-01.jpg", "2026-11-20 2026-11-20.jpg",
        "pictures/2026/2026-11/2026-11-20 The Crab Nebula.jpg", "2026-11-20 NGC 1999 20 30.jpg",
    ])
    func aNameWithOneDateNamesItsDay(path: String) {
        #expect(named(path) == Day(iso: "2026-11-20").map { .day($0) }, "\(path)")
    }

    @Test(arguments: [
        "05-06-2026.jpg", "2026-11-20_2026-11-21.jpg", "20261120-20261121.jpg", "261120.jpg",
        "1994-01-01.jpg", "2026-02-30.jpg", "20261399.jpg", "ap269999.jpg",
        "IMG_20261120_123456.jpg", "2026-11-20 12.30.55.jpg", "20261120_123456.jpg",
        "Screenshot 2026-11-20.png", "IMG-20261120-WA0001.jpg",
        "Screenshot from 2026-11-20 12-30-55.png", "2010-12-11-2012.jpg",
        "2010_12_11_2012.jpg",
    ])
    func anAmbiguousNameIsRejected(path: String) {
        guard case .refused = named(path) else {
            Issue.record("\(path): \(named(path))")
            return
        }
    }

    /// In a folder named by date, photos of a person are of that day.
    @Test(arguments: [
        "IMG_1234.JPG", "DSC_0007.JPG", "P1010101.JPG", "100_0042.JPG", "DSCF1234.jpg",
        "_MG_0123.jpg",
        "PXL_20261121_101112345.jpg", "IMG_1234 (1).jpg", "IMG-20261121-WA0001.jpg",
        "DSC01234-edit.jpg",
        "100-0042_IMG.jpg", "GOPR0001.jpg", "DJI_0001.JPG",
    ])
    func aNameOfACameraIsRejectedWhereverItStands(name: String) {
        for path in [name, "2026-11-20/\(name)", "2026/11/20/\(name)", "2026-11-20 \(name)"] {
            if path.hasPrefix("2026-11-20 "), name.hasPrefix("100") { continue }
            guard case .refused = named(path) else {
                Issue.record("\(path): \(named(path))")
                continue
            }
        }
    }

    @Test(arguments: [
        "2026-11-20 M31 1024.jpg", "2026-11-20/ngc253_1024.jpg", "2026-11-20 ISS at 12.jpg",
        "2026/11/20/image.jpg", "2026-11-20 C2023A3.jpg", "2026-11-20 vdB 141.jpg",
    ])
    func otherNamesWithNumbersStay(path: String) {
        #expect(named(path) == Day(iso: "2026-11-20").map { .day($0) }, "\(path)")
    }

    /// NASA's own names contain the date of an exposure.
    @Test(arguments: [
        "SolarEclipse20170821_Author.jpg", "M31_2019-01-05_hst.jpg",
        "LunarEclipse-20190121-x960.jpg", "ngc20100101a.jpg", "My edit 2019-01-05.jpg",
        "nasa-apod-2026-11-20.jpg", "map261120x2019-01-05.jpg", "2 2026-11-20.jpg",
        "2026-11-20/M31_2019-01-05_hst.jpg",
    ])
    func aDateBehindOtherLettersIsRejected(path: String) {
        guard case .refused = named(path) else {
            Issue.record("\(path): \(named(path))")
            return
        }
    }

    @Test(arguments: [
        "M31_Hubble_2048.jpg", "moon.gif", "image/2611/Name_1024.jpg", "", "/", ".", ".jpg",
        "2026/11/30 Doradus.jpg", "NGC 2026 11.jpg", "123456789.jpg", "2048x1536.jpg",
        "\u{1}\u{7f}.jpg", "2015-03-03 Holiday/beach.jpg", "Trip 2015-03-03/beach.jpg",
        "20150303 Holiday trip/beach.jpg",
    ])
    func aNameWithoutADateNamesNoDay(path: String) {
        #expect(named(path) == .none, "\(path)")
    }

    @Test(arguments: [
        "2026-11-20.jpg", "pictures/20261120.jpg", "ap261120.jpg", "apod-20261120.jpg",
        "APOD_2026-11-20.JPG", "apod2026-11-20.jpg",
    ])
    func aNameMayBeADateAlone(path: String) {
        #expect(Day(alone: Array(path.utf8)) == Day(iso: "2026-11-20"), "\(path)")
    }

    @Test(arguments: [
        "20261120 Beach party.jpg", "20261120_my_edit.jpg", "ap261120 Beach party.jpg",
        "apod-20261120-of-mine.jpg", "2026-11-20 Beach.jpg", "20261120 Beach.jpg", "261120.jpg",
        "Beach 20261120.jpg", "Beach.jpg", "20 November 2026.jpg", "20261120_.jpg",
    ])
    func aNameWithMoreThanADateIsNoDateAlone(path: String) {
        #expect(Day(alone: Array(path.utf8)) == nil, "\(path)")
    }

    /// Names are bytes: nothing in them may trap.
    @Test func anyBytesOfANameAreParsed() {
        var generator = SystemRandomNumberGenerator()
        let pieces: [[UInt8]] = [
            [0xff, 0xfe], Array("2026".utf8), Array("-".utf8), Array("11".utf8), Array("/".utf8),
            Array("ap".utf8), Array("99999999999999999999".utf8), [0xc3], Array("nov".utf8), [0],
        ]
        for _ in 0..<20_000 {
            let path = (0..<Int.random(in: 0...9, using: &generator)).flatMap { _ in
                pieces.randomElement(using: &generator) ?? []
            }
            _ = NamedDay(in: path)
        }
    }
}
