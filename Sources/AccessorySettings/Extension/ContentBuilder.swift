/// Collects the contents that the body of a Home extension lists.
@resultBuilder public enum ContentBuilder {
    public static func buildExpression<Content>(_ content: Content) -> Content {
        content
    }

    public static func buildBlock() -> EmptyContent {
        EmptyContent()
    }

    public static func buildBlock<Content>(_ content: Content) -> Content {
        content
    }

    public static func buildBlock<each Content>(_ content: repeat each Content) -> TupleContent<repeat each Content> {
        TupleContent(content: (repeat each content))
    }

    public static func buildIf<Content>(_ content: Content?) -> Content? {
        content
    }

    public static func buildEither<First, Second>(first: First) -> ConditionalContent<First, Second> {
        .first(first)
    }

    public static func buildEither<First, Second>(second: Second) -> ConditionalContent<First, Second> {
        .second(second)
    }

    public static func buildLimitedAvailability<Content>(_ content: Content) -> Content {
        content
    }
}
