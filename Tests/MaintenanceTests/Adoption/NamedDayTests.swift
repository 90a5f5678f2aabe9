import APOD
import Testing

@testable import Maintenance
@testable import Mirror

/// The paths that other tools give to pictures of APOD, and names that may be those of a person's photos.
@Suite struct NamedDayTests {
    private func named(_ path: String) -> Day? { NamedDay.day(in: Array(path.utf8)) }

    @Test(arguments: [
        "2026-11-20.jpg", "2026-11-20", "2026 11 20.gif", "apod_20261120_title.png",
        "apod_2026-11-20_hd.jpg",
        "apod-2026-11-20-hd.jpg", "AP261120.JPG", "apod/2026/2026-11-20.jpg",
        "2026-11-20 The Crab on 2019-01-01.jpg", "2026-11-20 2026-11-20.jpg",
        "pictures/2026/2026-11/2026-11-20 The Crab Nebula.jpg", "2026-11-20 NGC 1999 20 30.jpg",
        "2026-11-20 47 Tuc.jpg", "2026-11-20 ISS at 12.jpg",
        "2026-11-20 3C 273.jpg", "2026-11-20 12 Hours of Sun.jpg", "2026-11-20 - 47 Tucanae.jpg",
        "2026-11-20 A 2 m Telescope.jpg", "2026-11-20 (1).jpg", "2026-11-20 2.jpg",
        "2026-11-20 Atlas.jpg", "2026-11-20 Images of M31.jpg", "2026-11-20 2012 VP113.jpg",
        "2026-11-20 C2023A3.jpg", "2026-11-20 KIC 8462852.jpg", "2026-11-20 10000 Galaxies.jpg",
    ])
    func aDateAtTheBeginningNamesTheDay(path: String) {
        #expect(named(path) == Day(iso: "2026-11-20"), "\(path)")
    }

    @Test(arguments: [
        "2026-11-20_2026-11-21.jpg", "20261120-20261121.jpg", "1994-01-01.jpg", "2026-02-30.jpg",
        "20261399.jpg", "2026-11-20 12.30.55.jpg", "20261120_123456.jpg", "2010-12-11-2012.jpg",
        "Screenshot 2026-11-20.png", "M31_2019-01-05_hst.jpg", "2026-11-20/M31_2019-01-05_hst.jpg",
        "nasa-apod-2026-11-20.jpg", "map261120x2019-01-05.jpg", "2 2026-11-20.jpg",
    ])
    func anUncertainDateNamesNoDay(path: String) {
        #expect(named(path) == nil)
    }

    @Test(arguments: [
        "--14.30.15", " - 14.30.15", " 1430", " at 14.30.15", " 9.30.15", " um 14.30 Uhr",
        "__14.30", "T14-30-15", "T143015", " 14h30", " à 9h05", " 2.30 PM", " 143015 Beach",
        " 001", " 1430 (1)",
    ])
    func aTimeOrANumberAloneAfterTheDateNamesNoDay(end: String) {
        #expect(named("2026-11-20\(end).jpg") == nil)
    }

    @Test(arguments: [
        "-WA0001.jpg", " WhatsApp Image.jpg", " Screenshot.png", "_Screenshot_Maps.png",
        " - Bildschirmfoto.png", " IMG 1234.JPG", " PXL.jpg",
    ])
    func aWordOfPhotosAfterTheDateNamesNoDay(end: String) {
        #expect(named("2026-11-20\(end)") == nil)
    }

    /// In a folder named by date, photos of a person are of that day.
    @Test(arguments: [
        "IMG_1234.JPG", "DSC_0007.JPG", "P1010101.JPG", "DSCF1234.jpg", "_MG_0123.jpg",
        "PXL_20261121_101112345.jpg", "IMG_1234 (1).jpg", "IMG-20261121-WA0001.jpg",
        "DSC01234-edit.jpg", "GOPR0001.jpg", "DJI_0001.JPG",
    ])
    func aNameOfACameraNamesNoDayWhereverItStands(name: String) {
        for path in [name, "2026-11-20/\(name)", "2026/11/20/\(name)", "2026-11-20 \(name)"] {
            #expect(named(path) == nil, "\(path)")
        }
    }

    @Test(arguments: [
        "M31_Hubble_2048.jpg", "moon.gif", "image/2611/Name_1024.jpg", "", "/", ".", ".jpg",
        "05-06-2026.jpg", "261120.jpg", "SolarEclipse20170821_Author.jpg", "2026/11/20.jpg",
        "2026-11-20/M31.jpg",
        "NGC 2026 11.jpg", "123456789.jpg", "2048x1536.jpg", "\u{1}\u{7f}.jpg",
        "2015-03-03 Holiday/beach.jpg", "Trip 2015-03-03/beach.jpg", "100_0042.JPG",
        "100-0042_IMG.jpg", "IMG 1234.JPG",
    ])
    func anotherNameNamesNoDay(path: String) {
        #expect(named(path) == nil, "\(path)")
    }
}
