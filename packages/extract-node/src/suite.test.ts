import { extractionSuite } from '@quire/testkit/suites'
import { nodeExtraction } from './index.ts'

extractionSuite('by parsers in a process', nodeExtraction)
