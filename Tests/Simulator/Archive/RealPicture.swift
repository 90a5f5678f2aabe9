internal import CPictures
internal import PictureWriting

/// One of NASA's own pictures in the folder Pictures, which are in the public domain.
struct RealPicture: Sendable {
    /// The name of the file without its extension.
    let name: String
    let subject: String
    /// Who made it, as in CREDITS.md.
    let credit: String
    /// What it shows, as a sentence.
    let scene: String

    /// The picture with a number; there are twelve, and then the first one again.
    static func numbered(_ number: UInt64) -> RealPicture {
        all[Int(number % UInt64(all.count))]
    }

    /// The file, a JPEG.
    var file: [UInt8] {
        var size = 0
        let bytes = unsafe picture_file(name, &size)
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: size))
    }

    /// In pixels.
    var size: (width: Int, height: Int) { JPEGFile.size(of: file) }

    private static let rovers = "Mars Exploration Rover Mission, JPL, NASA"

    static let all = [
        RealPicture(
            name: "earth-at-twilight", subject: "Earth at Twilight",
            credit: "ISS Crew, Earth Sciences and Image Analysis Laboratory, JSC, NASA",
            scene: "Between day and night on Earth lies no sharp line but a soft shadow."),
        RealPicture(
            name: "space-station", subject: "The Space Station over the Horizon",
            credit: "STS-129 Crew, NASA",
            scene: "The crew of Atlantis took this picture as they left the space station."),
        RealPicture(
            name: "phobos", subject: "Phobos", credit: "Viking Project, JPL, NASA",
            scene: "The larger moon of Mars is about 25 kilometers long and covered by craters."),
        RealPicture(
            name: "orion-launch", subject: "Orion", credit: "NASA",
            scene: "On its first flight, Orion went fifteen times higher than the space station."),
        RealPicture(
            name: "saturn-at-night", subject: "Saturn at Night", credit: "Voyager 1, NASA",
            scene: "Only a spacecraft beyond Saturn can see its night side."),
        RealPicture(
            name: "opportunity-shadow", subject: "The Shadow of a Martian Robot", credit: rovers,
            scene: "Opportunity saw its own shadow in Endurance Crater."),
        RealPicture(
            name: "home-from-above", subject: "Home from Above",
            credit: "ISS Expedition 18 Crew, NASA",
            scene: "Seen from a window of the space station, the horizon is clearly curved."),
        RealPicture(
            name: "razorback-rocks", subject: "Razorbacks in Endurance Crater", credit: rovers,
            scene: "Minerals that water left in cracks may have made these thin slabs of rock."),
        RealPicture(
            name: "suitsat", subject: "SuitSat-1", credit: "ISS Expedition 12 Crew, NASA",
            scene: "An old spacesuit with a radio circled Earth until it burned up."),
        RealPicture(
            name: "tranquility-base", subject: "Footprints on Another World",
            credit: "Apollo 11, NASA",
            scene: "These are the first footprints on the Moon, from a window of the Eagle."),
        RealPicture(
            name: "shuttle-launch", subject: "Endeavour", credit: "NASA",
            scene: "Endeavour rose towards the space station with a robotic arm on board."),
        RealPicture(
            name: "spirit-wheel", subject: "Soft Ground on Mars",
            credit: "Mars Exploration Rover Mission, JPL-Caltech, NASA",
            scene: "A wheel of the rover Spirit dug itself into unexpectedly soft ground."),
    ]
}
