import { beforeAll, describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import { prepareFiles } from '../files/files.ts'
import type { Bench } from '../host.ts'
import {
  anAuthor,
  exported,
  importInto,
  otherInstallations,
  rewritten,
  withFields,
  zipOf,
  type Line,
} from './transfer-steps.ts'

/** Files that cannot be imported, as a whole or a line of them. */
export function transferFileTests(bench: () => Bench): void {
  beforeAll(() => prepareFiles(bench().system))
  const elsewhere = otherInstallations(bench)

  describe('a bad file', () => {
    it.each([
      ['no archive', () => new TextEncoder().encode('PK nothing')],
      ['an empty one', () => new Uint8Array()],
      ['no export', () => zipOf({ 'readme.txt': 'hello' })],
      ['a cut one', async () => (await exported(bench().api)).slice(0, -30)],
      ['an unsafe name', () => zipOf({ '../manifest.json': '{}' })],
      [
        'a newer format',
        async () => rewritten(await exported(bench().api), (line) => line, { version: '2.0' }),
      ],
    ] as const)('is refused as a whole: %s', async (_name, make) => {
      const { api } = bench()
      expect(await invalidAt(importInto(api, await make(), { dryRun: true }))).toEqual(['file'])
    })

    it('changes nothing, and is only told about to callers who may see the repository', async () => {
      const { api } = bench()
      const item = await anAuthor(api, 'Unchanged')
      const file = await exported(api)
      const bad = await rewritten(file, (line) =>
        line.id === item.id ? withFields(line, { nothing: 1 }) : line,
      )
      const { details } = await failing(importInto(api, bad), 'import_refused')
      expect(details).toMatchObject({ count: 1, refuse: [{ id: item.id, path: 'fields.nothing' }] })
      expect(await api.items.get({ configId: 'magazine', id: item.id })).toMatchObject({ latestVersion: 1 })
      await failing(api.repositories.export({ id: 'nothing' }), 'not_found')
      await failing(
        api.repositories.import({ id: 'nothing', file: new File([Uint8Array.from(file)], 'x.zip') }),
        'not_found',
      )
    })

    it('cannot bring a site of another repository, whose rights go by its id', async () => {
      const { api } = bench()
      await api.sites.create({ configId: 'magazine', name: 'Press', slug: 'press' })
      const bytes = Uint8Array.from(await exported(api))
      const into = { id: 'elsewhere', file: new File([bytes], 'x.zip'), dryRun: true }
      const { refuse } = await api.repositories.import(into)
      expect(refuse).toMatchObject([{ at: 'content/site-0001.ndjson:1', path: 'id' }])
    })

    it('waits for another import of the same caller', async () => {
      const { api } = bench()
      let arrive = () => {}
      const arrived = new Promise<void>((resolve) => void (arrive = resolve))
      const slow = {
        name: 'slow.zip',
        stream: async function* () {
          yield new Uint8Array([80])
          await arrived
        },
      }
      const { repositories } = await bench().inProcess(api)
      const first = repositories.import({ id: 'magazine', file: slow }).catch((error: unknown) => error)
      await failing(importInto(api, await exported(api)), 'too_many_requests')
      arrive()
      expect(await first).toMatchObject({ code: 'invalid' })
    })

    it('is told with member and line', async () => {
      const { api } = bench()
      const item = await anAuthor(api, 'Told')
      const file = await exported(api)
      const other = await elsewhere()
      const refusals = async (change: (line: Line) => unknown) => {
        const bad = await rewritten(file, (line) => (line.id === item.id ? change(line) : line))
        const { refuse } = await importInto(other, bad, { dryRun: true })
        return refuse.filter(({ at }) => at.startsWith('content/item')).map(({ path }) => path)
      }
      const roleless = (found: string[]) =>
        found.filter((path) => path !== 'writePerm' && path !== 'readPerm')
      expect(roleless(await refusals((line) => ({ ...line, kind: 'folder' })))).toEqual(['kind'])
      expect(roleless(await refusals((line) => ({ ...line, type: 'nothing' })))).toEqual(['type'])
      expect(roleless(await refusals((line) => withFields(line, { nothing: 1 })))).toEqual(['fields.nothing'])
      expect(roleless(await refusals((line) => withFields(line, { email: 'x' })))).toEqual(['fields.email'])
      expect(roleless(await refusals(() => 'no line'))).toEqual([''])
      const stolen = {
        hash: 'a'.repeat(64),
        size: 1,
        mimeType: 'image/png',
        extension: 'png',
        fileName: 'x.png',
      }
      const asset = { ...stolen, width: 1, height: 1, pages: null, focalPoint: null, renditions: [] }
      const paths = roleless(await refusals((line) => ({ ...line, content: { ...line.content, asset } })))
      expect(paths[0]).toBe('asset')
    })
  })
}
