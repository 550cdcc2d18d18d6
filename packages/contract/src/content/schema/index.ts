// `@quire/contract/schema`: content types as code, without zod.
export { defineField, defineSchema, defineType, type Schema } from './define.ts'
export type { ContentOf, FieldDefinition, Fields, TypeDefinitionInput } from './infer.ts'
