extension HomeAccessoryRangeSetting {
    /// What the values of a range are, for the Home app.
    public enum ValueFormat: String, Sendable, Codable, CustomStringConvertible {
        /// Plain numbers.
        case numeric
        case percentage
        case temperature

        public var description: String { rawValue }
    }

    /// How the Home app's slider moves.
    public enum SliderStyle: String, Sendable, Codable, CustomStringConvertible {
        /// Freely across the range.
        case continuous
        /// In discrete steps, with tick marks.
        case stepped

        public var description: String { rawValue }
    }

    /// What the Home app writes at the ticks of a stepped slider.
    public enum TickLabelStyle: Sendable, Equatable {
        /// Each tick's value.
        case automatic
        /// A label for each tick in order; an empty one leaves its tick unlabelled.
        case custom([LocalizedStringResource])
        case hidden
    }
}
