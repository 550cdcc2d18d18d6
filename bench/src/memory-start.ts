import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'

/** Prints how many milliseconds an in-memory engine takes from nothing to its first answer. */
const started = performance.now()
await createQuire({ store: createMemoryStore() })
  .as(systemIdentity('bench'))
  .repositories.create({ name: 'bench' })
process.stdout.write(String(performance.now() - started))
