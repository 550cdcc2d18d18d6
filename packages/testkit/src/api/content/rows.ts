import type { Api } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'

const configId = 'table'

const csv = (text: string) => new File([text], 'rows.csv', { type: 'text/csv' })
const ndjson = (...rows: readonly unknown[]) =>
  new File(
    [rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('')],
    'rows.ndjson',
  )

async function textOf(exported: ReturnType<Api['items']['exportRows']>): Promise<string> {
  return new TextDecoder().decode(await (await exported).bytes())
}

/** A repository with a type of products. */
async function prepare(api: Api): Promise<void> {
  await api.repositories.create({ name: configId })
  await api.types.create({
    name: 'product',
    settings: { titleField: 'title' },
    fields: [
      { name: 'title', kind: 'text' },
      { name: 'sku', kind: 'text', unique: true },
      { name: 'price', kind: 'number', settings: { min: 0 } },
      { name: 'sold', kind: 'boolean' },
      { name: 'since', kind: 'datetime' },
      { name: 'colors', kind: 'text', list: true },
      { name: 'size', kind: 'group', settings: { fields: [{ name: 'width', kind: 'integer' }] } },
      { name: 'data', kind: 'json' },
    ],
  })
}

const columns = {
  Article: 'fields.title',
  SKU: 'fields.sku',
  Price: 'fields.price',
  Sold: 'fields.sold',
  Since: 'fields.since',
  Colors: 'fields.colors',
  Width: 'fields.size.width',
}

const table = [
  'Article,SKU,Price,Sold,Since,Colors,Width,Remark',
  '"Pen, black",P-1,2.5,true,2026-01-02T03:04:05Z,"black,blue",12,ignored',
  '"Ink\nand pot",P-2,,false,,"[""red"",""a,b""]",,',
  '',
].join('\r\n')

/** Items as rows of CSV and NDJSON. */
export function rowTests(bench: () => Bench): void {
  describe('rows', () => {
    const input = { configId, type: 'product' }

    it('imports CSV by a mapping, and changes the items that the key names', async () => {
      const { api } = bench()
      await prepare(api)
      const file = () => csv(table)
      const planned = await api.items.importRows({
        ...input,
        columns,
        key: 'fields.sku',
        dryRun: true,
        file: file(),
      })
      expect(planned).toMatchObject({ rows: 2, create: 2, refuse: 0 })
      expect((await api.items.list(input)).items).toEqual([])
      const created = await api.items.importRows({
        ...input,
        columns,
        key: 'fields.sku',
        publish: true,
        file: file(),
      })
      expect(created).toMatchObject({ rows: 2, create: 2, update: 0, unchanged: 0, refuse: 0 })
      const [pen, ink] = (await api.items.list({ ...input, sort: 'fields.sku' })).items
      expect(pen).toMatchObject({
        name: 'Pen, black',
        status: 'published',
        fields: {
          title: 'Pen, black',
          price: 2.5,
          sold: true,
          since: Date.parse('2026-01-02T03:04:05Z'),
          colors: ['black', 'blue'],
          size: { width: 12 },
        },
      })
      expect(ink?.fields).toEqual({
        title: 'Ink\nand pot',
        sku: 'P-2',
        sold: false,
        colors: ['red', 'a,b'],
      })
      const again = await api.items.importRows({ ...input, columns, key: 'fields.sku', file: file() })
      expect(again).toMatchObject({ create: 0, update: 0, unchanged: 2, refuse: 0 })
      const changed = table.replace('2.5', '3').replace('P-2', 'P-3')
      const next = await api.items.importRows({ ...input, columns, key: 'fields.sku', file: csv(changed) })
      expect(next).toMatchObject({ create: 1, update: 1, unchanged: 0 })
      expect(next.saved).toContainEqual({ row: 1, kind: 'update', id: pen?.id })
    })

    it('saves no row that is to be published and cannot be', async () => {
      const { api } = bench()
      const fields = [
        { name: 'title', kind: 'text' as const },
        { name: 'teaser', kind: 'text' as const, required: true },
      ]
      await api.types.create({ name: 'leaflet', settings: { titleField: 'title' }, fields })
      const place = { configId, type: 'leaflet' }
      const rows = {
        ...place,
        key: 'fields.title',
        publish: true,
        columns: { T: 'fields.title', S: 'fields.teaser' },
      }
      const first = await api.items.importRows({ ...rows, file: csv('T,S\nOne,\nTwo,b\n') })
      expect(first).toMatchObject({ create: 1, refuse: 1 })
      expect(first.refused).toEqual([{ row: 1, path: 'fields.teaser', message: 'is required' }])
      expect((await api.items.list(place)).items.map(({ name }) => name)).toEqual(['Two'])
      const again = await api.items.importRows({ ...rows, file: csv('T,S\nOne,a\nTwo,b\n') })
      expect(again).toMatchObject({ create: 1, unchanged: 1, refuse: 0 })
    })

    it('exports CSV and NDJSON that change nothing when they are imported by id', async () => {
      const { api } = bench()
      const { id: taxonomyId } = await api.taxonomies.create({ configId, name: 'Kinds' })
      const made = [1, 2].map((number) =>
        api.categories.create({ configId, taxonomyId, name: `Kind ${number}` }),
      )
      const categories = (await Promise.all(made)).map(({ id }) => id)
      await api.items.create({
        repositoryId: configId,
        type: 'product',
        name: 'Formula',
        categories,
        description: '=cmd()',
        fields: { title: "'=1+1", sku: '-5', data: { a: [1, '2', null], b: null }, colors: ['x'] },
      })
      for (const accept of ['text/csv', 'application/x-ndjson', '*/*']) {
        const exported = await api.items.exportRows(input, { accept })
        const type = accept === 'text/csv' ? 'text/csv' : 'application/x-ndjson'
        expect(exported.mimeType).toContain(type)
        const file = new File([await exported.bytes()], 'rows', { type: exported.mimeType })
        const { rows, unchanged, refused } = await api.items.importRows({ ...input, key: 'id', file })
        expect(refused).toEqual([])
        expect([rows, unchanged]).toEqual([4, 4])
      }
      const text = await textOf(
        api.items.exportRows(
          {
            ...input,
            columns: { Name: 'name', About: 'description', SKU: 'fields.sku' },
            filter: { name: 'Formula' },
          },
          { accept: 'text/csv' },
        ),
      )
      expect(text).toBe("Name,About,SKU\r\nFormula,'=cmd(),'-5\r\n")
    })

    it('reports wrong rows with their number, and saves the others', async () => {
      const { api } = bench()
      const report = await api.items.importRows({
        ...input,
        key: 'fields.sku',
        file: ndjson(
          { name: 'Good', 'fields.sku': 'N-1' },
          { name: 'Bad price', 'fields.sku': 'N-2', 'fields.price': -1 },
          'not json',
          { name: 'No such field', 'fields.sku': 'N-4', 'fields.none': 1 },
          { name: 'No key' },
          { name: 'Good again', 'fields.sku': 'N-1' },
          { name: 'Deep', 'fields.sku': 'N-7', 'fields.price': 'much' },
        ),
      })
      expect(report).toMatchObject({ rows: 7, create: 1, update: 1, refuse: 5 })
      expect(report.refused.map(({ row, path }) => [row, path])).toEqual([
        [2, 'fields.price'],
        [3, ''],
        [4, ''],
        [5, 'fields.sku'],
        [7, 'fields.price'],
      ])
      const { items } = await api.items.list({ ...input, filter: { 'fields.sku': 'N-1' } })
      expect(items).toMatchObject([{ name: 'Good again', currentVersion: 2 }])
    })

    it('refuses a wrong table as a whole, before it saves anything', async () => {
      const { api } = bench()
      const wrong = (more: object, file: File) => invalidAt(api.items.importRows({ ...input, ...more, file }))
      expect(await wrong({}, csv('name,fields.none\r\nA,1\r\n'))).toEqual(['columns.fields.none'])
      expect(await wrong({ columns: { A: 'fields.none' } }, csv('A\r\n1\r\n'))).toEqual(['columns.A'])
      expect(await wrong({ key: 'slug' }, csv('name\r\nA\r\n'))).toEqual(['key'])
      expect(await wrong({ type: 'none' }, csv('name\r\nA\r\n'))).toEqual(['type'])
      expect(
        await wrong({}, new File([Uint8Array.of(0xff, 0xfe)], 'rows.csv', { type: 'text/csv' })),
      ).toEqual(['file'])
      expect(await invalidAt(api.items.exportRows({ ...input, columns: { A: 'b' } }))).toEqual(['columns.A'])
      expect(await invalidAt(api.items.exportRows({ ...input, sort: 'fields.none' }))).toEqual(['sort'])
      const elsewhere = { ...input, configId: 'none' }
      await failing(api.items.importRows({ ...elsewhere, file: csv('name\r\n') }), 'not_found')
      await failing(api.items.exportRows(elsewhere), 'not_found')
    })

    it('writes rows into a package, and only what the caller may write', async () => {
      const { api, as } = bench()
      await api.packages.create({ repo: configId, name: 'prices' })
      const inPackage = { ...input, packageName: 'prices' }
      const file = () => ndjson({ name: 'Only here', 'fields.sku': 'K-1' })
      await api.items.importRows({ ...inPackage, file: file() })
      const here = { filter: { 'fields.sku': 'K-1' } }
      expect((await api.items.list({ ...inPackage, ...here })).items).toHaveLength(1)
      expect((await api.items.list({ ...input, ...here })).items).toEqual([])
      const reader = await as({ bundles: ['bundle.viewer'] })
      await failing(reader.items.importRows({ ...input, file: file() }), 'forbidden')
      const updater = await as({ overrides: { grant: ['items.read', 'items.update'], revoke: [] } })
      expect(await updater.items.importRows({ ...input, file: file() })).toMatchObject({
        create: 0,
        refuse: 1,
      })
      expect(await textOf(reader.items.exportRows(input))).not.toContain('Only here')
    })

    it('has a limit of bytes, and a slot for each caller', async () => {
      const { api } = bench()
      const large = new File([new Uint8Array(64 * 1024 ** 2 + 1).fill(32)], 'rows.ndjson')
      await failing(api.items.importRows({ ...input, file: large }), 'too_large')
      await failing(api.items.importRows({ ...input, file: csv('\n'.repeat(1_000_001)) }), 'too_large')
      const wide = csv(`name\r\n"${'a'.repeat(3 * 1024 ** 2)}"\r\n`)
      expect(await invalidAt(api.items.importRows({ ...input, file: wide }))).toEqual(['file'])
      const names = Array.from({ length: 6_000 }, (_, at) => `c${at}`)
      expect(await invalidAt(api.items.importRows({ ...input, file: csv(`${names.join()}\n`) }))).toEqual([
        'file',
      ])
      const long = `"${'one, two; ""three""\n'.repeat(60_000)}"`
      expect(
        await api.items.importRows({
          ...input,
          dryRun: true,
          file: csv(`name,fields.title\r\nLong,${long}\r\n`),
        }),
      ).toMatchObject({ rows: 1 })
      const many = Array.from({ length: 25_001 }, () => 1)
      const refused = [{ row: 1, message: 'has more than 25000 values' }]
      for (const file of [
        ndjson({ name: 'Many', 'fields.data': many }),
        csv(`name,fields.data\r\nMany,"${JSON.stringify(many)}"\r\n`),
      ])
        expect(await api.items.importRows({ ...input, dryRun: true, file })).toMatchObject({
          rows: 1,
          refused,
        })
      let release = (): void => undefined
      const waiting = new Promise<void>((resolve) => (release = resolve))
      const slow = async function* () {
        yield new TextEncoder().encode('{"name":')
        await waiting
        yield new TextEncoder().encode('"Slow"}')
      }
      const { items } = await bench().inProcess(api)
      const first = items.importRows({ ...input, file: { name: 'rows.ndjson', stream: slow } })
      await failing(
        api.items.importRows({ ...input, dryRun: true, file: ndjson({ name: 'Other' }) }),
        'too_many_requests',
      )
      release()
      expect(await first).toMatchObject({ create: 1 })
    })
  })
}
