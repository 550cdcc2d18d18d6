import { fakeExtraction } from '@quire/core/memory'
import { extractionSuite } from './suite.ts'

extractionSuite('fake', fakeExtraction)
