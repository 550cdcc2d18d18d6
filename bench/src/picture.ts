import sharp from 'sharp'

// Points of noise across the picture and how strong it is: so that 400 px as WebP of quality 80 have some 22 KB, as of a photo.
const grain = { width: 200, height: 150, strength: 0.22 }

/** A JPEG of 1600 × 1200: colours that run into each other under a coarse noise, the same in every run. */
export async function picture(): Promise<Buffer> {
  const { width, height } = grain
  return sharp(pixels(), { raw: { width, height, channels: 3 } })
    .resize(1600, 1200)
    .jpeg({ quality: 85 })
    .toBuffer()
}

function pixels(): Uint8Array {
  const { width, height, strength } = grain
  const next = randomBytesOf(1)
  const values = Uint8ClampedArray.from({ length: width * height * 3 }, (_, index) => {
    const location = Math.floor(index / 3)
    const [x, y] = [(location % width) / width, Math.floor(location / width) / height]
    return 255 * ([x, y, 1 - x][index % 3] ?? 0) + (next() - 128) * strength
  })
  return new Uint8Array(values.buffer)
}

/** A linear congruential generator (Numerical Recipes), its upper eight bits. */
function randomBytesOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  }
}
