/*
 * Creates the pictures in packages/testkit/media. They are committed, so that the testkit does not
 * need sharp. Run it manually to change one: `node scripts/make-specimens.mjs`. Another version of
 * sharp may create different bytes: check the tests of media-sharp afterwards.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const sharp = createRequire(join(root, 'packages/media-sharp/package.json'))('sharp')
const folder = join(root, 'packages/testkit/media')

const red = [220, 30, 30]
const green = [30, 180, 30]
const blue = [30, 30, 220]
const yellow = [230, 220, 30]

/** Creates a sharp picture whose pixels are computed by `colour` from their position. */
function drawing({ width, height }, colour) {
  const pixels = Array.from({ length: width * height }, (_, index) =>
    colour(index % width, Math.floor(index / width)),
  )
  const channels = pixels[0].length
  return sharp(Buffer.from(pixels.flat()), { raw: { width, height, channels } })
}

/** Red and green above blue and yellow. */
function quarters({ width, height }) {
  return drawing({ width, height }, (x, y) => {
    const colours = y < height / 2 ? [red, green] : [blue, yellow]
    return colours[x < width / 2 ? 0 : 1]
  })
}

/** Gradients, waves and grain, as hard to encode as a photo. The same in every run. */
function photo({ width, height }) {
  let seed = 1
  const grain = () => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32
    return (seed / 2 ** 32 - 0.5) * 18
  }
  const level = (value) => Math.max(0, Math.min(255, Math.round(value)))
  return drawing({ width, height }, (x, y) => {
    const noise = grain()
    const waves = [
      (x / width) * 255,
      (y / height) * 200 + 30 * Math.sin(x / 40),
      128 + 100 * Math.sin((x + y) / 90),
    ]
    return waves.map((wave) => level(wave + noise))
  })
}

/** Three frames in different colours. */
async function frames() {
  const sheets = [red, green, blue].map((colour) =>
    drawing({ width: 60, height: 40 }, () => colour)
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(sheets), { join: { animated: true } })
}

/** 16 bits per channel, from opaque on the left to transparent on the right. */
function deepAlpha({ width, height }) {
  const values = Array.from({ length: width * height }, (_, index) => {
    const across = (index % width) / (width - 1)
    return [60_000, 20_000, 40_000, Math.round(65_535 * (1 - across))]
  })
  const raw = { width, height, channels: 4 }
  return sharp(Uint16Array.from(values.flat()), { raw }).toColourspace('rgb16')
}

const exif = {
  IFD0: { Make: 'Quire-Secret-Camera', Artist: 'Quire-Secret-Person' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '52/1 30/1 0/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '13/1 24/1 0/1',
    GPSMapDatum: 'Quire-Secret-Place',
  },
}

const xmp =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  '<rdf:Description rdf:about="Quire-Secret-Xmp"/></rdf:RDF></x:xmpmeta>'

const specimens = {
  'photo.jpg': () => photo({ width: 1600, height: 1200 }).jpeg({ quality: 85 }),
  'quarters.png': () => quarters({ width: 120, height: 80 }).png(),
  // Stored as 60 × 40, displayed as 40 × 60: a clockwise quarter turn moves blue to the upper left.
  'turned.jpg': () =>
    quarters({ width: 60, height: 40 })
      .withMetadata({ orientation: 6, exif })
      .withXmp(xmp)
      .jpeg({ quality: 95 }),
  'display-p3.jpg': () => quarters({ width: 60, height: 40 }).withIccProfile('p3').jpeg({ quality: 95 }),
  'cmyk.jpg': () => quarters({ width: 60, height: 40 }).toColourspace('cmyk').jpeg({ quality: 95 }),
  'deep-alpha.png': () => deepAlpha({ width: 60, height: 40 }).png(),
  'animated.gif': async () => (await frames()).gif({ delay: [80, 120, 160], loop: 0 }),
  'animated.webp': async () => (await frames()).webp({ delay: [80, 120, 160], loop: 0, lossless: true }),
  'quarters.avif': () => quarters({ width: 60, height: 40 }).avif({ quality: 60 }),
}

/**
 * A picture that claims to be HEVC, like those of phones. sharp reads its header, but has no decoder
 * for the rest, which here is AVIF. Its configuration box is longer, so the sizes of the enclosing
 * boxes and the offset of the pixels are increased accordingly.
 */
function asHeic(avif) {
  const bytes = Buffer.from(
    avif.toString('latin1').replace('ftypavif', 'ftypheic').replace('av01', 'hvc1'),
    'latin1',
  )
  const at = bytes.indexOf('av1C') - 4
  const end = at + bytes.readUInt32BE(at)
  const record = [
    1, 1, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 0x5d, 0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 0x0f, 0,
  ]
  const box = Buffer.from([0, 0, 0, 8 + record.length, ...Buffer.from('hvcC'), ...record])
  const grow = (position) =>
    bytes.writeUInt32BE(bytes.readUInt32BE(position) + box.length - (end - at), position)
  for (const name of ['ipco', 'iprp', 'meta']) grow(bytes.indexOf(name) - 4)
  grow(bytes.indexOf('iloc') + 16)
  return Buffer.concat([bytes.subarray(0, at), box, bytes.subarray(end)])
}

mkdirSync(folder, { recursive: true })
for (const [name, make] of Object.entries(specimens)) await write(name, await (await make()).toBuffer())
await write('phone.heic', asHeic(await specimens['quarters.avif']().toBuffer()))

async function write(name, bytes) {
  writeFileSync(join(folder, name), bytes)
  console.log(`${name} ${bytes.length}`, await sharp(bytes).metadata())
}
