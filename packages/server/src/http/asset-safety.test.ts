import type { Item } from '@quire/contract'
import { specimens } from '@quire/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveAssets, type AssetServing } from '../../test/asset-serving.ts'
import { json } from '../../test/serving.ts'

let server: AssetServing
beforeAll(async () => {
  server = await serveAssets()
})
afterAll(() => server.close())

/**
 * Content that a browser would run in our origin if it were displayed or loaded with its own type.
 */
const active = /^(text\/html|application\/xhtml|image\/svg|.*xml|.*(java|ecma)script)/

interface Attack {
  readonly name: string
  /** The type that the sender declares. */
  readonly type: string
  readonly bytes: () => Promise<Uint8Array> | Uint8Array
}

const text = (content: string) => () => new TextEncoder().encode(content)
const html = '<script>alert(document.domain)</script>'
const xslt = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#x"?>
  <x><xsl:stylesheet id="x" version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:template match="/"><html><script>alert(1)</script></html></xsl:template></xsl:stylesheet></x>`

const attacks: readonly Attack[] = [
  { name: 'a.svg', type: 'image/svg+xml', bytes: () => specimens.svg() },
  {
    name: 'a.png',
    type: 'image/png',
    bytes: text('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  },
  { name: 'b.png', type: 'image/png', bytes: () => specimens.html() },
  { name: 'c.png', type: 'image/png', bytes: text(html) },
  { name: 'd.html', type: 'text/html', bytes: text(html) },
  { name: 'e.jpg', type: 'image/jpeg', bytes: text(`\ufeff  <!-- x --> <html>${html}`) },
  { name: 'f.xml', type: 'application/xml', bytes: text(xslt) },
  {
    name: 'f.xhtml',
    type: 'application/xhtml+xml',
    bytes: text('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'),
  },
  { name: 'g.pdf', type: 'application/pdf', bytes: () => specimens.pdf() },
  { name: 'h.js', type: 'text/javascript', bytes: text('alert(1)') },
  { name: 'i.mjs', type: 'application/javascript', bytes: text('alert(1)') },
  { name: 'j.txt', type: 'text/plain', bytes: text(`hello ${html}`) },
  { name: 'k.swf', type: 'application/x-shockwave-flash', bytes: text('FWS\u0006abcdefgh') },
  { name: 'l.html', type: 'image/gif', bytes: text('\u0000\u0000<html><script>alert(1)</script>') },
  {
    name: 'm.mht',
    type: 'message/rfc822',
    bytes: text('MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<script>'),
  },
]

// GIF and JavaScript at once: the first word, GIF89a, is a variable to a script.
const polyglot = text('GIF89a=1;/*\u0001\u0000*/alert(1)//')

const sandbox = /default-src 'none'.*sandbox/

async function fetched(item: Item, path = 'original') {
  const response = await server.get(item, path)
  expect(response.status).toBe(200)
  const header = (name: string) => response.headers.get(name) ?? ''
  return {
    type: header('content-type'),
    disposition: header('content-disposition'),
    policy: header('content-security-policy'),
    others: [header('x-content-type-options'), header('cross-origin-resource-policy')],
  }
}

describe('active content', () => {
  it.each(attacks)(
    'is downloaded, never displayed: $name, declared as $type',
    async ({ name, type, bytes }) => {
      const item = await server.upload(await bytes(), { name, type })
      for (const query of ['', '?version=1', '?download=false']) {
        const answer = await fetched(item, `original${query}`)
        expect(answer.disposition).toMatch(/^attachment;/)
        expect(answer.policy).toMatch(sandbox)
        expect(answer.others).toEqual(['nosniff', 'same-origin'])
        // Neither the declared type, nor a script, which a page of the same origin could load
        // although it is an attachment.
        expect(answer.type).not.toMatch(/^image\/(?!svg)|script/)
      }
    },
  )

  it.each(attacks)('is downloaded as an uploaded rendition too: $name', async ({ name, type, bytes }) => {
    const picture = await server.upload(await specimens.png(), { name: 'picture.png' })
    const path = `/api/renditions/magazine/${picture.id}/made`
    const body = new Uint8Array(await bytes())
    const put = await server.fetch(path, { method: 'PUT', body, headers: { 'content-type': type } })
    expect([name, put.status]).toEqual([name, 200])
    const answer = await fetched(picture, 'made')
    expect(answer.disposition).toMatch(/^attachment;/)
    expect(answer.policy).toMatch(sandbox)
    expect(answer.type).not.toMatch(/^image\/(?!svg)|script/)
  })

  it('is not a script if it is a picture as well', async () => {
    const answer = await fetched(await server.upload(polyglot(), { name: 'a.js', type: 'text/javascript' }))
    expect(answer.type).not.toMatch(active)
    expect(answer.others).toEqual(['nosniff', 'same-origin'])
    expect(answer.policy).toMatch(sandbox)
  })

  it('is not made into a rendition', async () => {
    const svg = await server.upload(await specimens.svg(), { name: 'a.svg', type: 'image/svg+xml' })
    for (const path of ['thumbnail', 'original?format=png', 'small?format=webp']) {
      const response = await server.get(svg, path)
      expect([response.status, await response.json()]).toMatchObject([404, { code: 'not_found' }])
    }
  })
})

describe('harmless content', () => {
  it.each([
    ['photo.jpg', () => specimens.photo(), 'image/jpeg'],
    ['a.png', () => specimens.png(), 'image/png'],
    ['a.gif', () => specimens.animatedGif(), 'image/gif'],
    ['a.webp', () => specimens.animatedWebp(), 'image/webp'],
    ['a.avif', () => specimens.avif(), 'image/avif'],
    ['a.mp4', () => specimens.mp4(), 'video/mp4'],
  ])('is displayed, in a sandbox: %s', async (name, bytes, type) => {
    const answer = await fetched(await server.upload(await bytes(), { name, type: 'text/html' }))
    expect(answer).toMatchObject({ type, others: ['nosniff', 'same-origin'] })
    expect(answer.disposition).toMatch(/^inline;/)
    expect(answer.policy).toMatch(sandbox)
  })
})

it('every other response of an asset has the same protection', async () => {
  const item = await server.upload(await specimens.photo(), { name: 'photo.jpg' })
  const { etag } = Object.fromEntries((await server.get(item)).headers)
  const answers = [
    await server.get(item, 'thumbnail'),
    await server.get(item, 'original', { headers: { range: 'bytes=0-9' } }),
    await server.get(item, 'original', { headers: { range: 'bytes=0-9,20-29' } }),
    await server.get(item, 'original', { headers: { 'if-none-match': etag ?? '' } }),
    await server.get(item, 'original', { method: 'HEAD' }),
    await server.fetch('/api/assets/zip/magazine', json([item.id])),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 206, 206, 304, 200, 200])
  for (const { headers } of answers) {
    expect(headers.get('content-security-policy')).toMatch(sandbox)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  const failed = [
    await server.get(item, 'original', { headers: { range: 'bytes=99999999-' } }),
    await server.get(item, 'nothing'),
  ]
  expect(failed.map(({ status, headers }) => [status, headers.get('x-content-type-options')])).toEqual([
    [416, 'nosniff'],
    [404, 'nosniff'],
  ])
})
