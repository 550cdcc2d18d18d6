import { fakeMedia } from '@quire/core/memory'
import { mediaSuite } from './suite.ts'

mediaSuite('fake', fakeMedia)
