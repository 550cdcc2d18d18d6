export { contentTypesText, type ContentTypesOptions } from './document.ts'
export { schemaText, type SchemaTextOptions } from './schema.ts'
