import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openPostgresStore } from '@quire/store-postgres'
import { expect, it, onTestFinished } from 'vitest'
import { aFolder, quire, serveFolder } from '../../test/cli.ts'
import {
  asAdministrator,
  databaseUrl,
  dropSchema,
  location,
  testDatabase,
  testSchema,
} from '../../../../test/services/postgres.ts'

it('a data folder of an unreleased version is refused in one line, and is not changed', async () => {
  const data = aFolder()
  const file = join(data, 'quire.db')
  await (await serveFolder(data)).stop()
  const database = new DatabaseSync(file)
  database.exec('PRAGMA user_version = 13')
  database.close()
  const bytes = readFileSync(file)

  const { code, stdout, stderr } = await quire(['serve', '--data', data, '--port', '0'])
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr: `quire: ${file} was made by an unreleased version of Quire (schema 13; this one needs 17): move its folder away and start with an empty one.\n`,
  })
  expect(readFileSync(file).equals(bytes)).toBe(true)
})

it.skipIf(testDatabase === null)(
  `a schema of an unreleased version is refused in one line, and is not changed ${location}`,
  async () => {
    const schema = testSchema()
    onTestFinished(() => dropSchema(schema))
    await (await openPostgresStore({ url: databaseUrl(), schema })).close()
    await asAdministrator((client) => client.query(`UPDATE ${schema}.schema_version SET version = 7`))

    const place = ['--database', databaseUrl(), '--database-schema', schema]
    const { code, stdout, stderr } = await quire(['serve', '--data', aFolder(), '--port', '0', ...place])
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `quire: The schema ${schema} was made by an unreleased version of Quire (version 7; this one needs 12): rename it or drop it, and start with an empty one.\n`,
    })
    const { rows } = await asAdministrator((client) =>
      client.query(`SELECT version FROM ${schema}.schema_version`),
    )
    expect(rows).toEqual([{ version: 7 }])
  },
)
