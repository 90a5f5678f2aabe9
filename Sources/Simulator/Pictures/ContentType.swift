/// What a web server makes of the name of a file, whatever the bytes are.
func contentType(of name: String) -> String {
    switch name.trimmingTrailingBlanks.split(separator: ".").last?.lowercased() {
    case "jpg", "jpeg": "image/jpeg"
    case "png": "image/png"
    case "gif": "image/gif"
    case "webp": "image/webp"
    case "tif", "tiff": "image/tiff"
    case "mp4": "video/mp4"
    case "mov": "video/quicktime"
    case "mpg", "mpeg": "video/mpeg"
    case "wmv": "video/x-ms-wmv"
    default: "application/octet-stream"
    }
}
