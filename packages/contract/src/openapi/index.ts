export { openApiDocument, openApiSteps, type OpenApiDocument, type OpenApiOptions } from './document.ts'
