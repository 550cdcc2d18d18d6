import { createMemoryStore } from '@quire/core/memory'
import { inProcess } from './in-process.ts'
import { apiSuite } from './suite.ts'

apiSuite('in process, on memory', () => inProcess(createMemoryStore()))
