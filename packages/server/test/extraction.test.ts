import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemIdentity } from '@quire/core'
import type { Log } from '@quire/core/ports'
import { afterAll, describe, expect, it } from 'vitest'
import { openQuire } from '../src/open-quire.ts'

const data = mkdtempSync(join(tmpdir(), 'quire-extraction-'))
afterAll(() => rmSync(data, { recursive: true }))

describe('the engine of the service', () => {
  it('finds pages by their text, and stores files that cannot be read', async () => {
    const reported: Parameters<Log['write']>[] = []
    const log: Log = { write: (...line) => void reported.push(line) }
    const { quire } = await openQuire({ data, baseUrl: 'http://quire.test', log })
    const api = quire.as(systemIdentity('desk'))
    const { id: configId } = await api.repositories.create({ name: 'magazine' })
    await api.types.create({ name: 'document', settings: { isAsset: true }, fields: [] })
    const page = new File(['<!doctype html><style>b{}</style><p>A <b>wom</b>bat &amp; co'], 'page.html')
    const { id } = await api.assets.create({ configId, file: page })
    expect(await api.items.get({ configId, id, select: ['text'] })).toEqual({ id, text: 'A wombat & co' })
    const { items } = await api.items.list({ configId, text: 'wombat', select: ['name'] })
    expect(items).toEqual([{ id, name: 'page' }])

    const damaged = new File(['%PDF-1.7\nand no more'], 'damaged.pdf')
    const stored = await api.assets.create({ configId, file: damaged })
    expect(stored.asset).toMatchObject({ mimeType: 'application/pdf' })
    const warnings = reported.filter(([, event]) => event === 'extraction.refused')
    expect(warnings).toMatchObject([['warn', 'extraction.refused', { kind: 'unreadable' }]])
    await quire.close()
  })
})
