import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { frontPage } from './front-page.ts'
import { configId, correctEnglish, createMagazine } from './magazine.ts'

const engine = createQuire({ store: createMemoryStore() })
const quire = engine.as(systemIdentity('example'))
await createMagazine(quire)
await correctEnglish(quire, 'paper-by-hand', 'Paper, made by hand')

const { settings } = await quire.repositories.get({ id: configId })
for (const { code, name } of settings.locales?.list ?? [])
  console.log([name, ...(await frontPage(quire, code)).map((line) => `  ${line}`)].join('\n'))
await engine.close()
