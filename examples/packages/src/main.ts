import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { springIssue } from './spring-issue.ts'

const engine = createQuire({ store: createMemoryStore() })
await springIssue(engine.as(systemIdentity('example')), (line) => console.log(line))
await engine.close()
