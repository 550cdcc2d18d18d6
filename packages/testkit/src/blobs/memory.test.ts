import { memoryBlobs } from '@quire/core/memory'
import { blobSuite } from './suite.ts'

blobSuite('in memory', async () => ({ blobs: memoryBlobs(), close: async () => {} }))
