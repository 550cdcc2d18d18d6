import { expect, it } from 'vitest'
import { negotiatedFormat } from './negotiate-format.ts'

const chrome = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'
const gif = { mimeType: 'image/gif', pages: 3, asked: undefined, accept: undefined }
const jpeg = { mimeType: 'image/jpeg', pages: 1, asked: undefined, accept: undefined }

it.each([
  ['what is asked for', { ...jpeg, asked: 'jpg', accept: chrome }, 'jpeg'],
  ['AVIF where it is named', { ...jpeg, accept: chrome }, 'avif'],
  ['WebP where AVIF is not', { ...jpeg, accept: 'image/webp,*/*' }, 'webp'],
  ['WebP where AVIF is refused', { ...jpeg, accept: 'image/avif;q=0, image/webp' }, 'webp'],
  ['what the source is for whoever names nothing', jpeg, 'jpeg'],
  ['what the source is for everything', { ...jpeg, mimeType: 'image/png', accept: '*/*' }, 'png'],
  ['JPEG of what no picture is made in', { ...jpeg, mimeType: 'image/tiff' }, 'jpeg'],
  ['PNG of a GIF, which may be transparent', { ...jpeg, mimeType: 'image/gif' }, 'png'],
  ['WebP of an animation', { ...jpeg, mimeType: 'image/gif', pages: 3, accept: chrome }, 'webp'],
  ['never what is refused', { ...jpeg, mimeType: 'image/webp', accept: 'image/webp;q=0, */*' }, 'jpeg'],
  ['no refused WebP of an animation', { ...gif, accept: 'image/webp;q=0.000, */*' }, 'png'],
  ['PNG of a JPEG for whoever takes that alone', { ...jpeg, accept: 'image/png' }, 'png'],
  ['JPEG of an animation for whoever takes that alone', { ...gif, accept: 'image/jpeg' }, 'jpeg'],
  ['WebP of an animation for whoever names nothing', gif, 'webp'],
  ['WebP of an animation where another is named as well', { ...gif, accept: 'image/avif,*/*' }, 'webp'],
  ['AVIF of an animation for whoever takes that alone', { ...gif, accept: 'image/avif' }, 'avif'],
  ['JPEG of the first page of a document', { ...jpeg, mimeType: 'image/tiff', pages: 3 }, 'jpeg'],
  [
    'AVIF of a document where it is named',
    { ...jpeg, mimeType: 'image/tiff', pages: 3, accept: chrome },
    'avif',
  ],
  ['what weighs more', { ...jpeg, accept: 'image/avif;q=0.5, image/png;q=0.7, image/webp;q=0.6' }, 'png'],
  ['the own format where all else weighs less', { ...jpeg, accept: 'image/webp;q=0.3, */*;q=0.5' }, 'jpeg'],
  ['the first of ours where all weigh the same', { ...jpeg, accept: 'image/png, image/jpeg' }, 'jpeg'],
  ['what a narrower range says', { ...jpeg, accept: '*/*, image/*;q=0.1, image/png;q=0.2' }, 'png'],
  ['JPEG for whoever takes no picture', { ...jpeg, mimeType: 'image/png', accept: 'text/html' }, 'jpeg'],
  ['another for whoever takes no picture and not that', { ...jpeg, accept: 'image/jpeg;q=0' }, 'png'],
  ['JPEG where all is refused', { ...jpeg, accept: '*/*;q=0' }, 'jpeg'],
  ['JPEG for whoever takes no PNG', { ...jpeg, mimeType: 'image/png', accept: 'image/jpeg' }, 'jpeg'],
] as const)('is %s', (_, negotiation, format) => {
  expect(negotiatedFormat(negotiation)).toBe(format)
})
