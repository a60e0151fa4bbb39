/// What a Home extension can contribute to the Home app. Not meant to be adopted by other types.
public protocol HomeContent {}

/// Several contents in a row.
public struct TupleContent<each Content> {
    let content: (repeat each Content)
}

/// No content.
public struct EmptyContent: HomeContent {
    public init() {}
}

/// One of two contents, as an `if` with `else` or a `switch` makes it.
public enum ConditionalContent<First, Second> {
    case first(First)
    case second(Second)
}

extension TupleContent: HomeContent where repeat each Content: HomeContent {}
extension ConditionalContent: HomeContent where First: HomeContent, Second: HomeContent {}
extension Optional: HomeContent where Wrapped: HomeContent {}

/// A content that consists of others.
protocol CompoundContent {
    /// The parts that are there, in order.
    var parts: [any HomeContent] { get }
}

extension TupleContent: CompoundContent where repeat each Content: HomeContent {
    var parts: [any HomeContent] {
        var parts: [any HomeContent] = []
        for part in repeat each content { parts.append(part) }
        return parts
    }
}

extension ConditionalContent: CompoundContent where First: HomeContent, Second: HomeContent {
    var parts: [any HomeContent] {
        switch self {
        case .first(let content): [content]
        case .second(let content): [content]
        }
    }
}

extension Optional: CompoundContent where Wrapped: HomeContent {
    var parts: [any HomeContent] {
        map { [$0] } ?? []
    }
}
