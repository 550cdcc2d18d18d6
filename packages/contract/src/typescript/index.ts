export { contentTypesText, type ContentTypesOptions } from './document.ts'
