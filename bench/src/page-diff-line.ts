import type { PageDiffs } from '@quire/core/ports'
import { article } from './articles.ts'
import { median, type Figure } from './compare.ts'

/**
 * Number of measured comparisons. Some more run first, while the thread starts and compiles its
 * code.
 */
const rounds = 15
const warming = 3

const pageBytes = 200_000
const edits = 50

/** The time of one page diff of a 200 KB page with 50 changes. The diffs run one at a time. */
export async function pageDiffLine(diffs: PageDiffs): Promise<Figure> {
  const blocks = blocksOf(pageBytes)
  const [before, after] = [pageOf(blocks), pageOf(edited(blocks))]
  const times: number[] = []
  let locations = 0
  for (let round = -warming; round < rounds; round++) {
    const started = performance.now()
    const { changes } = await diffs.state(before, after)
    if (round >= 0) times.push(performance.now() - started)
    locations = changes
  }
  return {
    what: 'page diff of a 200 KB page',
    value: median(times),
    unit: 'ms',
    min: Math.min(...times),
    max: Math.max(...times),
    target: 300,
    bound: 'atMost',
    detail: `${Math.round(before.length / 1000)} KB, ${locations} places marked`,
  }
}

/** Blocks of articles with `bytes` characters in total. */
function blocksOf(bytes: number): string[] {
  const blocks: string[] = []
  for (let size = 0, index = 0; size < bytes; index++) {
    const { fields } = article(index)
    const block = `<h2>${fields.title}</h2>\n<div class="text">${fields.body.slice(index)}</div>`
    blocks.push(block)
    size += block.length
  }
  return blocks
}

/**
 * Makes `edits` changes, spread over the page and of three kinds in rotation: a changed word, a new
 * block, a removed block.
 */
function edited(blocks: readonly string[]): string[] {
  const step = Math.max(1, Math.floor(blocks.length / edits))
  return blocks.flatMap((block, at) => {
    if (at % step !== 0) return [block]
    const kind = (at / step) % 3
    if (kind === 1) return [block, `<p>Paragraph ${at} is new here.</p>`]
    return kind === 2 ? [] : [block.replace(/ (\w+) /, ' changed ')]
  })
}

function pageOf(blocks: readonly string[]): string {
  return `<!DOCTYPE html><html lang="en"><head><title>Page</title></head><body><main>${blocks.join('\n')}</main></body></html>`
}
