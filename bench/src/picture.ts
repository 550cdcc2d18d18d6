import sharp from 'sharp'

// A grid of noise across the picture, and its strength. With it, a WebP of 400 px and quality 80
// has about 22 KB, like a photo.
const grain = { width: 200, height: 150, strength: 0.22 }

/**
 * Creates a JPEG of 1600 × 1200: smooth colour gradients under coarse noise, the same in every run.
 */
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

/** A linear congruential generator (Numerical Recipes); returns its upper eight bits. */
function randomBytesOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  }
}
