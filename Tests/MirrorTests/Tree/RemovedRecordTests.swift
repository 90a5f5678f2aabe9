import APOD
import FoundationEssentials
import JSON
import Mirror
import Testing

@Suite struct RemovedRecordTests {
    @Test func aRecordKeepsTheTimeAtWhichRetentionRemovedItsFiles() throws {
        let json: JSON = [
            "date": "2026-11-20", "title": "The Crab Nebula", "explanation": "",
            "media_type": "video",
            "picture": [
                "path": "pictures/2026/2026-11/2026-11-20 The Crab Nebula.jpg", "bytes": 1,
                "sha256": .string(String(repeating: "0", count: 64)), "type": "image/jpeg",
                "width": 1, "height": 1, "origin": "",
                "removed": "2026-11-21T04:10:00Z",
            ],
            "video": [
                "url": "https://science.nasa.gov/crab.mp4",
                "path": "pictures/2026/2026-11/2026-11-20 The Crab Nebula.mp4", "bytes": 2,
                "sha256": .string(String(repeating: "1", count: 64)),
                "removed": "2026-11-21T04:10:00Z",
            ],
            "source": ["feed": "basic", "fetched": "2026-11-20T04:10:00Z", "revision": 1],
        ]

        let record = try #require(DayRecord(json))

        #expect(record.picture?.removed == Date(timestamp: "2026-11-21T04:10:00Z"))
        #expect(record.video?.removed == record.picture?.removed)
        #expect(record.json == json)
    }
}
