import Foundation

extension UUID {
    /// The namespace of the accessories of settings2mqtt. Changing it would change every accessory's identity.
    static let accessoryNamespace = UUID(
        uuid: (0x9A, 0x1D, 0x99, 0x64, 0x8F, 0x5D, 0x49, 0xCD, 0x9F, 0xC3, 0x5B, 0x06, 0x97, 0x22, 0xA9, 0x4F))

    /// A version-5 UUID (RFC 9562, section 5.5): the same name always gives the same one.
    static func version5(of name: String, in namespace: UUID) -> UUID {
        var hash = withUnsafeBytes(of: namespace.uuid) { sha1(Array($0) + Array(name.utf8)) }
        hash[6] = hash[6] & 0x0F | 0x50
        hash[8] = hash[8] & 0x3F | 0x80
        return hash.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

/// The 20 bytes of SHA-1 (FIPS 180-4), which version-5 UUIDs are made of and Foundation lacks on Linux.
private func sha1(_ message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    var padded = message + [0x80]
    padded += Array(repeating: 0, count: (120 - padded.count % 64) % 64)
    padded += (0..<8).reversed().map { UInt8(truncatingIfNeeded: (UInt64(message.count) * 8) >> (8 * $0)) }
    for block in stride(from: 0, to: padded.count, by: 64) {
        var words = (0..<16).map { word in
            padded[(block + 4 * word)..<(block + 4 * word + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            words.append((words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]).rotated(by: 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for index in 0..<80 {
            let (choice, constant): (UInt32, UInt32) =
                switch index {
                case ..<20: (b & c | ~b & d, 0x5A82_7999)
                case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = a.rotated(by: 5) &+ choice &+ e &+ constant &+ words[index]
            (a, b, c, d, e) = (next, a, b.rotated(by: 30), c, d)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }
    return state.flatMap { word in (0..<4).reversed().map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
}

extension UInt32 {
    fileprivate func rotated(by count: UInt32) -> UInt32 {
        self << count | self >> (32 - count)
    }
}
