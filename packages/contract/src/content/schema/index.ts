// `@quire/contract/schema`: content types as code, without zod.
export { defineField, defineSchema, defineType, type Schema } from './define.ts'
export type { ContentOf, FieldDefinition, Fields, Localized, TypeDefinitionInput } from './infer.ts'
