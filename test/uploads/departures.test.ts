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
  // Loads sharp and its readers, which happens once.
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

/** Disconnects somewhere between the head and the end of an answer. */
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

/** Runs something `count` times, eight at a time. */
async function many(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < count; start += 8)
    await Promise.all(Array.from({ length: Math.min(8, count - start) }, (_, index) => work(start + index)))
}

describe('callers who disconnect', () => {
  it('during a download leave nothing open', async () => {
    await many(100, (index) => leave({ path: contentPath(large) }, index % 10 === 0 ? 0 : Math.random()))
    await expect.poll(openNow, soon).toBeLessThanOrEqual(openBefore)
    expect(await hashOfItem(location, large)).toBe(hashOf(bytes))
  })

  it('during an archive leave nothing open, and free their slot', async () => {
    const asking = { method: 'POST', path: zipPath, headers: json, body: JSON.stringify([large, photo]) }
    for (let round = 0; round < 5; round++) {
      for (let count = 0; count < 10; count++) await leave(asking, count === 0 ? 0 : Math.random())
      // The service may not have noticed the last disconnect yet.
      await expect.poll(async () => (await askJson(location, zipPath, [photo])).status).toBe(200)
    }
    await expect.poll(openNow, soon).toBeLessThanOrEqual(openBefore)
  })

  it('before an archive starts occupy no slot', async () => {
    const body = JSON.stringify([large, photo])
    const lines = `content-type: application/json\r\ncontent-length: ${body.length}`
    const request = `POST ${zipPath} HTTP/1.1\r\n${head()}\r\n${lines}\r\n\r\n${body}`
    // Increasing delays, so that some disconnect while the files are looked up.
    for (let count = 0; count < 40; count++) await send(request, count / 4)
    await expect.poll(async () => (await askJson(location, zipPath, [photo])).status, soon).toBe(200)
    await expect.poll(openNow, soon).toBeLessThanOrEqual(openBefore)
  })

  it('during a form upload leave neither an item nor a file', async () => {
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

  it('before a rendition is created, or after an invalid request, delay nobody else', async () => {
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

/** Sends a request and disconnects without waiting for the answer. */
function depart(path: string): Promise<void> {
  return send(`GET ${path} HTTP/1.1\r\n${head()}\r\n\r\n`)
}

/** Sends only the first `count` bytes of a form. */
function sendPart(form: Buffer, count: number): Promise<void> {
  const headers = `${head()}\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${form.length}`
  const start = `POST /api/assets/${repository} HTTP/1.1\r\n${headers}\r\n\r\n`
  return send(Buffer.concat([Buffer.from(start), form.subarray(0, count)]))
}

const head = () => `host: 127.0.0.1\r\nauthorization: Bearer ${location.token}`

/** Sends bytes and disconnects after some ms. */
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
