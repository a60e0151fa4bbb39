/// Columns side by side; the last one is as long as it is.
struct TextTable {
    private var rows: [[String]] = []

    /// Adds a row. All rows have the same number of cells; what devices say is put on one line.
    mutating func add(_ cells: [String]) {
        rows.append(cells.map(\.onOneLine))
    }

    var text: String {
        let columns = (rows.first ?? []).indices.dropLast()
        let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for column in columns {
                line += row[column] + String(repeating: " ", count: widths[column] - row[column].count + 2)
            }
            line += row.last ?? ""
            return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
        }.joined()
    }
}
