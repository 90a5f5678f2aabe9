package import APOD
internal import TestSupport

/// A user who applies random operations to `favorites`.
///
/// The same seed yields the same operations.
package struct RandomUser {
    private static let names = ["a", "b", "c", "x.jpg", "\n", "ü", " -rf", ".hidden", "y.tmp"]

    private var generator: SplitMix
    private let days: [Day]
    private var made = 0

    /// - Parameters:
    ///   - seed: Determines the operations.
    ///   - days: The days to refer to, mirrored or not.
    package init(seed: UInt64, days: [Day]) {
        generator = SplitMix(state: seed)
        self.days = days
    }

    /// A number below `bound`.
    package mutating func number(below bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &generator)
    }

    /// The next operation, which is possible in most cases.
    package mutating func next(in world: World) -> Operation {
        switch number(below: 1000) {
        case 0..<900: userOperation(in: world)
        case 900..<915: .requestForget(day())
        case 915..<925: .publish(day())
        case 925..<930: .mirror(day())
        case 930..<935: .losePicture(day())
        case 935..<940: .loseRecord(day())
        case 940..<957: .advance([1, 20, 59, 60, 61, 3600, -30, -7200][number(below: 8)])
        case 957..<960: .setClock([3600, -3600, 86_400 * 365][number(below: 3)])
        case 960..<965: .restart
        case 965..<967: .reboot
        case 967..<975: .scanWithout(Self.names[number(below: 3)])
        default: .scan(checksAll: number(below: 4) > 0)
        }
    }

    /// An operation of a user: atomic, except an exchange.
    package mutating func userOperation(in world: World) -> Operation {
        switch number(below: 100) {
        case 0..<34: .make(thing(), at: place(in: world))
        case 34..<40: .makeDirectory(place(in: world))
        case 40..<52: .replace(target(), at: place(in: world))
        case 52..<66: .rename(known(in: world), to: place(in: world))
        case 66..<83: .remove(known(in: world))
        case 83..<90: .rename(known(in: world), to: "outside/\(name())")
        case 90..<97: .rename(known(in: world, "outside"), to: place(in: world))
        default: whole(in: world)
        }
    }

    /// An operation on `favorites` itself.
    private mutating func whole(in world: World) -> Operation {
        switch (world.disk["favorites"], number(below: 10)) {
        case (_?, 0..<5): .exchange("favorites", with: known(in: world, "outside"))
        case (.folder, 5..<7): .remove("favorites")
        case (.folder, _): .rename("favorites", to: "outside/\(name())")
        case (nil, 0..<4): .makeDirectory("favorites")
        case (nil, 4..<8): .rename(known(in: world, "outside"), to: "favorites")
        case (nil, _): .make(thing(), at: "favorites")
        default: .remove("favorites")
        }
    }

    // MARK: Items

    private mutating func thing() -> Thing {
        made += 1
        switch number(below: 20) {
        case 0: return .fifo
        case 1: return .file(.nonsense, made: made)
        case 2: return .file(.edited(number(below: 3)), made: made)
        case 3: return .file(.note(day()), made: made)
        case 4, 5: return .file(.copy(day()), made: made)
        case 6, 7: return .file(.hardLink(day()), made: made)
        default: return .link(target())
        }
    }

    private mutating func target() -> Target {
        switch number(below: 20) {
        case 0..<5: .absolute(day())
        case 5..<12: .relative(day(), up: 1 + number(below: 3))
        case 12: .record(day())
        case 13: .placeholder(day(), up: 1 + number(below: 2))
        case 14: .foreign(day())
        case 15: .own(day())
        case 16: .nowhere
        case 17, 18: .neighbour(name())
        default: .latest
        }
    }

    private mutating func day() -> Day { days[number(below: days.count)] }

    private mutating func name() -> String { Self.names[number(below: Self.names.count)] }

    // MARK: Places

    /// The path of an item in `folder`, at any depth.
    private mutating func known(in world: World, _ folder: String = "favorites") -> String {
        let paths = world.disk.contents(of: folder).keys.sorted()
        return paths.isEmpty ? "\(folder)/\(name())" : paths[number(below: paths.count)]
    }

    /// A name in `favorites` or in a directory there, to a depth of three.
    private mutating func place(in world: World) -> String {
        let folders = world.disk.contents(of: "favorites")
            .filter { $0.value.isFolder && $0.key.split(separator: "/").count < 4 }.keys.sorted()
        guard !folders.isEmpty, number(below: 2) == 0 else { return "favorites/\(name())" }
        return "\(folders[number(below: folders.count)])/\(name())"
    }
}
