import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@quire/client'
import { startDemo } from '../demo-service.ts'
import { generate } from './generate.ts'

const folder = join(import.meta.dirname, '../generated')

const demo = await startDemo()
try {
  for (const [name, text] of Object.entries(await generate(createClient(demo)))) {
    await writeFile(join(folder, name), text)
    console.log(`src/generated/${name}`)
  }
} finally {
  await demo.stop()
}
