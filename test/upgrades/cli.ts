// npm run fixture: stores a data folder of the current schema, for tests of later schemas. See
// README.md in this folder.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fill, openFolder, remove, storeFixture } from './installation.ts'

const folder = mkdtempSync(join(tmpdir(), 'quire-fixture-'))
const quire = await openFolder(folder)
try {
  await fill(quire)
} finally {
  await quire.close()
}
console.log(storeFixture(folder))
remove(folder)
