import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { json, serve, type Serving } from '../../test/serving.ts'

let server: Serving
let ruleId: string
beforeAll(async () => {
  server = await serve()
  const rule = await server.api.autoPackageRules.create({
    repositoryId: 'magazine',
    name: 'All',
    types: ['article'],
  })
  ruleId = rule.id
  await server.api.packages.create({ repo: 'magazine', name: 'spring' })
})
afterAll(() => server.app.close())

const path = '/api/content/management/packages/auto-package/create-and-save'
const save = (name: string) => ({
  repositoryId: 'magazine',
  ruleId,
  packageAction: 'addToExisting',
  packageName: 'spring',
  item: { type: 'article', name },
})

/** A form with these parts, as a browser sends it. */
function form(parts: Readonly<Record<string, string | Blob>>): RequestInit {
  const body = new FormData()
  for (const [name, part] of Object.entries(parts)) body.append(name, part)
  return { method: 'POST', body }
}

describe('create-and-save', () => {
  it('accepts JSON, and JSON as the part data of a form', async () => {
    const plain = await server.fetch(path, json(save('As JSON')))
    expect([plain.status, await plain.json()]).toMatchObject([
      200,
      { name: 'As JSON', autoPackage: { packageName: 'spring' } },
    ])
    const text = await server.fetch(path, form({ data: JSON.stringify(save('As text')) }))
    expect([text.status, await text.json()]).toMatchObject([200, { name: 'As text', packageName: 'spring' }])
    const blob = new Blob([JSON.stringify(save('As a file'))], { type: 'application/json' })
    expect((await server.fetch(path, form({ data: blob }))).status).toBe(200)
  })

  it.each([
    ['no part data', () => ({}), 'data'],
    ['an unknown part', () => ({ data: '{}', other: 'x' }), 'other'],
    ['a file without a file name', () => ({ data: JSON.stringify(save('Unnamed')), file: 'x' }), 'file'],
    [
      'a file, which an item without a binary does not accept',
      () => ({ data: JSON.stringify(save('With a file')), file: new Blob(['x']) }),
      'file',
    ],
  ])('is 400 for %s', async (_, parts, issue) => {
    const response = await server.fetch(path, form(parts()))
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 'invalid', issues: [{ path: issue }] },
    ])
  })

  it.each([
    ['a part that is not JSON', form({ data: 'no JSON' })],
    [
      'a form without a boundary',
      { method: 'POST', body: 'x', headers: { 'content-type': 'multipart/form-data' } },
    ],
    [
      'a form that ends early',
      {
        method: 'POST',
        body: '--x\r\nContent-Dis',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      },
    ],
  ])('is 400 for %s', async (_, init) => {
    const response = await server.fetch(path, init)
    expect([response.status, await response.json()]).toMatchObject([400, { error: true, code: 'invalid' }])
  })

  it.each([10, 1_000_000])('is 400 for a file of %i bytes in a truncated form', async (length) => {
    const head = '--X\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    const headers = { 'content-type': 'multipart/form-data; boundary=X' }
    const body = `${head}${'x'.repeat(length)}\r\n`
    const response = await server.fetch('/api/assets/magazine', { method: 'POST', headers, body })
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'invalid' }])
  })

  it('is 415 for anything else', async () => {
    const response = await server.fetch(path, json(save('x'), { 'content-type': 'text/plain' }))
    expect([response.status, await response.json()]).toMatchObject([415, { code: 'unsupported_media_type' }])
  })
})
