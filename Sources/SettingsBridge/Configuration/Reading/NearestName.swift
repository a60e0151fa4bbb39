/// The name that was probably meant, `nil` when none is near.
package func nearestName(to name: String, among candidates: [String]) -> String? {
    let wanted = plain(name)
    let best = candidates.map { (name: $0, distance: editDistance(wanted, plain($0))) }.min {
        $0.distance < $1.distance
    }
    guard let best, best.distance <= max(1, wanted.count / 3) else { return nil }
    return best.name
}

/// Case and the choice between `-` and `_` are the commonest differences and count nothing.
private func plain(_ name: String) -> [Unicode.Scalar] {
    Array(name.lowercased().replacing("-", with: "_").unicodeScalars.prefix(64))
}

/// How many characters must be inserted, removed, replaced, or swapped with their neighbour.
private func editDistance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
    var beforeLast = [Int](repeating: 0, count: other.count + 1)
    var last = Array(0...other.count)
    for row in one.indices {
        var current = [row + 1]
        for column in other.indices {
            let replaced = last[column] + (one[row] == other[column] ? 0 : 1)
            var least = min(replaced, last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                least = min(least, beforeLast[column - 1] + 1)
            }
            current.append(least)
        }
        (beforeLast, last) = (last, current)
    }
    return last[other.count]
}
