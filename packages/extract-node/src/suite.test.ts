import { extractionSuite } from '@quire/testkit'
import { nodeExtraction } from './index.ts'

extractionSuite('by parsers in a process', nodeExtraction)
