import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'

/** Prints how many milliseconds an engine in memory takes from nothing to its first answer. */
const started = performance.now()
await createQuire({ store: createMemoryStore() })
  .as(systemIdentity('bench'))
  .repositories.create({ name: 'bench' })
process.stdout.write(String(performance.now() - started))
