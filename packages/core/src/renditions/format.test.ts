import { expect, it } from 'vitest'
import { negotiatedFormat } from './format.ts'

const chrome = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'
const jpeg = { mimeType: 'image/jpeg', pages: 1, asked: undefined, accept: undefined }

it.each([
  ['what is asked for', { ...jpeg, asked: 'jpg', accept: chrome }, 'jpeg'],
  ['AVIF where it is named', { ...jpeg, accept: chrome }, 'avif'],
  ['WebP where AVIF is not', { ...jpeg, accept: 'image/webp,*/*' }, 'webp'],
  ['WebP where AVIF is refused', { ...jpeg, accept: 'image/avif;q=0, image/webp' }, 'webp'],
  ['what the source is for who names nothing', jpeg, 'jpeg'],
  ['what the source is for everything', { ...jpeg, mimeType: 'image/png', accept: '*/*' }, 'png'],
  ['JPEG of what no picture is made in', { ...jpeg, mimeType: 'image/tiff' }, 'jpeg'],
  ['PNG of a GIF, which may be transparent', { ...jpeg, mimeType: 'image/gif' }, 'png'],
  ['WebP of an animation', { ...jpeg, mimeType: 'image/gif', pages: 3, accept: chrome }, 'webp'],
  ['JPEG for who takes no PNG', { ...jpeg, mimeType: 'image/png', accept: 'image/jpeg' }, 'jpeg'],
] as const)('is %s', (_, negotiation, format) => {
  expect(negotiatedFormat(negotiation)).toBe(format)
})
