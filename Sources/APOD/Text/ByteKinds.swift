/// The kinds of bytes in a text that is in UTF-8 and in lower case, such as a file name that ``lowercased`` changed.
///
/// A character outside of ASCII, such as é or –, has several bytes of 0x80 or more. Where such bytes are included, letters
/// and punctuation are not told apart.
extension UInt8 {
    /// The byte in lower case if it is a capital letter of ASCII, else the byte itself.
    package var lowercased: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }

    /// Whether the byte is a digit from 0 to 9.
    package var isDigit: Bool { 0x30...0x39 ~= self }

    /// Whether the byte is a letter from a to z.
    package var isLowercaseASCIILetter: Bool { 0x61...0x7A ~= self }

    /// Whether the byte is a letter from a to z, or a part of any character outside of ASCII.
    package var isLetterOrNonASCII: Bool { isLowercaseASCIILetter || self >= 0x80 }

    /// Whether the byte may be a part of a word or a number.
    package var isPartOfWord: Bool { isDigit || isLetterOrNonASCII }
}
