import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, isQuireError, type Client } from '@quire/client'
import { specimens } from '@quire/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { pictureDesk } from './picture-desk.ts'
import { openService, type PictureService } from './service.ts'
import { uploadInTwo } from './upload.ts'

let folder = ''
let service: PictureService
let quire: Client

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-pictures-'))
  service = await openService({ folder })
  quire = createClient(service)
})

afterEach(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

async function aPicture(): Promise<File> {
  return new File([new Uint8Array(await specimens.photo())], 'oak-galls.jpg')
}

/** Hides file sizes that another version of the encoders would change. */
function withoutSizes(line: string): string {
  return /: .*, \d+ bytes$/.test(line) ? line.replace(/\d+ bytes$/, '… bytes') : line
}

it('follows a picture from its upload to an archive', async () => {
  const reported: string[] = []
  const file = await aPicture()
  await pictureDesk(quire, { file, folder }, (line) => reported.push(line))
  expect(reported.map(withoutSizes)).toEqual([
    'an upload',
    '  0 %',
    '  43 %',
    '  the connection breaks',
    '  43 %',
    '  86 %',
    '  100 %',
    'oak-galls',
    '  image/jpeg, 1600 × 1200, 303552 bytes',
    'hero, by what the caller accepts',
    '  image/avif,image/webp,*/*: image/avif, … bytes',
    '  image/webp,*/*: image/webp, … bytes',
    '  */*: image/jpeg, … bytes',
    'all renditions, as WebP where possible',
    '  original: oak-galls.jpg, … bytes',
    '  thumbnail: oak-galls.webp, … bytes',
    '  small: oak-galls.webp, … bytes',
    '  medium: oak-galls.webp, … bytes',
    '  large: oak-galls.webp, … bytes',
    '  card: oak-galls.webp, … bytes',
    '  hero: oak-galls.webp, … bytes',
    '  square: oak-galls.webp, … bytes',
    'the first bytes',
    '  0 to 3 of 303552: ffd8ffdb',
    'an archive of both',
    '  magazine.zip, 607370 bytes',
  ])
  const archive = await readFile(join(folder, 'magazine.zip'))
  expect(archive.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
  expect(archive.includes(Buffer.from(await file.arrayBuffer()))).toBe(true)
})

it('creates one complete asset from an interrupted upload', async () => {
  const file = await aPicture()
  const { id: assetId } = await uploadInTwo(quire, file, () => undefined)
  const { count } = await quire.items.list({ configId: 'magazine', type: 'picture' })
  const original = await quire.assets.get({ configId: 'magazine', assetId, rendition: 'original' })
  expect(count).toBe(1)
  expect(await original.bytes()).toEqual(new Uint8Array(await file.arrayBuffer()))
})

it('accepts only pictures, whatever the file name', async () => {
  const page = new File(['<!doctype html><h1>No picture</h1>'], 'oak-galls.jpg', { type: 'image/jpeg' })
  const refused = await uploadInTwo(quire, page, () => undefined).catch((error: unknown) => error)
  expect(isQuireError(refused) && [refused.code, refused.issues]).toEqual([
    'invalid',
    [{ path: 'file', message: expect.stringContaining('is text/html') }],
  ])
  expect(await quire.items.list({ configId: 'magazine', type: 'picture' })).toMatchObject({ count: 0 })
})
