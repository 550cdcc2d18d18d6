import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { specimens } from '@quire/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contentPath, uploadWhole } from './append.ts'
import { ask, askJson, begin } from './ask.ts'
import { countItems, filesIn, hashOf, hashOfItem } from './look.ts'
import { Location, repository } from './location.ts'
import { openFiles } from './process.ts'

const MiB = 1024 ** 2

let location: Location
let large: string
let photo: string
const bytes = randomBytes(12 * MiB)
beforeAll(async () => {
  location = await new Location().open()
  large = await uploadWhole(location, bytes)
  photo = await uploadWhole(location, await specimens.photo(), 'photo.jpg')
  // sharp and its readers are loaded once.
  await ask(location, { path: renditionPath('thumbnail') })
}, 60_000)
afterAll(() => location.close())

let openBefore: number
beforeEach(() => {
  openBefore = openNow()
})

const renditionPath = (rendition: string) => `/api/assets/${repository}/${photo}/${rendition}`
const zipPath = `/api/assets/zip/${repository}`
const json = { 'content-type': 'application/json' }

const openNow = () => openFiles(location.pid).length
const soon = { timeout: 2000 }

/** Leaves an answer somewhere between its head and its end. */
async function leave(asking: Parameters<typeof begin>[1], part: number): Promise<void> {
  const response = await begin(location, asking)
  let seen = 0
  response.on('error', () => undefined)
  const most = part * bytes.length
  await new Promise<void>((resolve) => {
    response.on('data', (chunk: Buffer) => {
      seen += chunk.length
      if (seen >= most) response.destroy()
    })
    response.on('close', resolve)
    if (most === 0) response.destroy()
  })
}

/** `count` times, eight at a time. */
async function many(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < count; start += 8)
    await Promise.all(Array.from({ length: Math.min(8, count - start) }, (_, index) => work(start + index)))
}

describe('callers who leave', () => {
  it('a download leave nothing open', async () => {
    await many(100, (index) => leave({ path: contentPath(large) }, index % 10 === 0 ? 0 : Math.random()))
    await expect.poll(openNow, soon).toBeLessThanOrEqual(openBefore)
    expect(await hashOfItem(location, large)).toBe(hashOf(bytes))
  })

  it('an archive leave nothing open, and the next one is not too many', async () => {
    const asking = { method: 'POST', path: zipPath, headers: json, body: JSON.stringify([large, photo]) }
    for (let round = 0; round < 5; round++) {
      for (let count = 0; count < 10; count++) await leave(asking, count === 0 ? 0 : Math.random())
      // The service may not know yet that the last one is gone.
      await expect.poll(async () => (await askJson(location, zipPath, [photo])).status).toBe(200)
    }
    await expect.poll(openNow, soon).toBeLessThanOrEqual(openBefore)
  })

  it('before an archive begins hold no place of it', async () => {
    const body = JSON.stringify([large, photo])
    const lines = `content-type: application/json\r\ncontent-length: ${body.length}`
    const request = `POST ${zipPath} HTTP/1.1\r\n${head()}\r\n${lines}\r\n\r\n${body}`
    // Later and later, so that some of them leave while the files are looked for.
    for (let count = 0; count < 40; count++) await send(request, count / 4)
    await expect.poll(async () => (await askJson(location, zipPath, [photo])).status, soon).toBe(200)
    await expect.poll(openNow, soon).toBeLessThanOrEqual(openBefore)
  })

  it('a form leave neither an item nor a file', async () => {
    const before = { items: await countItems(location), blobs: filesIn(location, 'blobs') }
    const form = Buffer.concat([
      Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'),
      randomBytes(MiB),
      Buffer.from('\r\n--x--\r\n'),
    ])
    await many(200, () => sendPart(form, Math.floor(Math.random() * (form.length - 1))))
    await expect.poll(() => filesIn(location, 'temp'), soon).toEqual([])
    await expect.poll(openNow, soon).toBeLessThanOrEqual(openBefore)
    expect({ items: await countItems(location), blobs: filesIn(location, 'blobs') }).toEqual(before)
    expect(location.server.ended()).toBeNull()
  })

  it('before a rendition is made, or ask for what is none, are in nobody’s way', async () => {
    await many(100, async (index) => {
      const made = `medium?format=webp&width=${index}`
      const [path, method] = [
        [renditionPath(made), 'GET'],
        [renditionPath('small?format=../../x'), 'GET'],
        [renditionPath('small?format=avif'), 'HEAD'],
      ][index % 3] ?? ['', '']
      await leave({ path: String(path), method: String(method) }, 0)
    })
    await many(60, () => depart(renditionPath('large?format=avif')))
    const start = performance.now()
    expect((await ask(location, { path: renditionPath('thumbnail') })).status).toBe(200)
    expect(performance.now() - start).toBeLessThan(1000)
    await expect.poll(openNow, soon).toBeLessThanOrEqual(openBefore)
  })
})

/** Asks for something and hangs up without waiting for it. */
function depart(path: string): Promise<void> {
  return send(`GET ${path} HTTP/1.1\r\n${head()}\r\n\r\n`)
}

/** Sends a form of which only so many bytes come. */
function sendPart(form: Buffer, count: number): Promise<void> {
  const headers = `${head()}\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${form.length}`
  const start = `POST /api/assets/${repository} HTTP/1.1\r\n${headers}\r\n\r\n`
  return send(Buffer.concat([Buffer.from(start), form.subarray(0, count)]))
}

const head = () => `host: 127.0.0.1\r\nauthorization: Bearer ${location.token}`

/** Sends bytes and hangs up, after so many ms. */
function send(text: string | Buffer, ms = 0): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(location.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
    const leave = () => {
      if (Math.random() < 0.5) socket.destroy()
      else socket.resetAndDestroy()
    }
    socket.write(text, () => {
      if (ms > 0) setTimeout(leave, ms)
      else leave()
    })
  })
}
