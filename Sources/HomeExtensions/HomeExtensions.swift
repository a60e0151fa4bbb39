// What a Home extension gets with `import HomeExtensions`: Apple's settings API.
@_exported public import AccessorySettings
