// What the author of an adapter writes: the suites of testkit, in vitest.
import { createMemoryStore } from '@quire/core/memory'
import { storeSuite } from '@quire/testkit/suites'

storeSuite('of the author', async () => ({ store: createMemoryStore(), dispose: async () => undefined }))
