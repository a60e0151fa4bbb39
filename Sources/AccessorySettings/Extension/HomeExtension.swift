/// A Home extension: what it serves is listed in its body. Adopted by the type marked `@main`.
@MainActor public protocol HomeExtension {
    associatedtype Content: HomeContent
    @ContentBuilder @MainActor var body: Content { get }
    @MainActor init()
}

extension HomeExtension {
    /// The settings that the body lists, in order.
    @MainActor package var accessorySettings: [HomeAccessorySettings] {
        var found: [HomeAccessorySettings] = []
        func collect(_ content: any HomeContent) {
            if let settings = content as? HomeAccessorySettings {
                found.append(settings)
            } else if let compound = content as? any CompoundContent {
                compound.parts.forEach(collect)
            }
        }
        collect(body)
        return found
    }
}
