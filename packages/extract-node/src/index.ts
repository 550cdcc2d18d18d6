export { type NodeExtractionOptions, nodeExtraction } from './node-extraction.ts'
