internal import APOD
internal import FoundationEssentials

/// One entry of the older feed as NASA sent it.
struct RealEntry: Decodable {
    let date: String
    let title: String
    let explanation: String
    let media_type: String
    let url: String?
    let hdurl: String?
    let copyright: String?
}
