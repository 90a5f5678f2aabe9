/// An object of the sky that a text names by its number in a catalogue, such as NGC 7000, or a comet.
///
/// The gallery has an index of all objects. "M 31" and "Messier 31" are one object.
package struct CatalogueObject: Hashable, Comparable, Sendable {
    /// The catalogues, in the order of the index.
    package enum Catalogue: String, CaseIterable, Sendable {
        case messier, ngc, ic, caldwell, sharpless, barnard, abell, comets

        /// The place in the order of the index.
        fileprivate var position: Int { Self.allCases.prefix { $0 != self }.count }

        package var title: String {
            switch self {
            case .messier: "Messier"
            case .ngc: "NGC"
            case .ic: "IC"
            case .caldwell: "Caldwell"
            case .sharpless: "Sharpless"
            case .barnard: "Barnard"
            case .abell: "Abell"
            case .comets: "Comets"
            }
        }

        /// The text before the number in the ``CatalogueObject/name`` of an object.
        var prefix: String {
            switch self {
            case .messier: "M"
            case .sharpless: "Sh2-"
            case .ngc, .ic, .caldwell, .barnard, .abell: "\(title) "
            case .comets: ""
            }
        }
    }

    package let catalogue: Catalogue
    /// The number in the catalogue; for a comet, its year, as 2023 of C/2023 A3, or its number, as 67 of 67P.
    let numberOrYear: Int
    /// The name in the index, such as `NGC 7000`.
    package let name: String

    /// The name without blanks, by which a search finds all days that name the object: `NGC7000`.
    package var searchTerm: String { name.replacing(" ", with: "") }

    /// Orders objects by catalogue, then by number or year.
    package static func < (one: Self, other: Self) -> Bool {
        (one.catalogue.position, one.numberOrYear, one.name)
            < (other.catalogue.position, other.numberOrYear, other.name)
    }
}
