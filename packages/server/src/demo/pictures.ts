import { openAsBlob } from 'node:fs'
import type { Api } from '@quire/contract'
import { magazinePath } from './demo-path.ts'

/** Alternative texts of the covers, by the slugs of their articles. */
const covers = {
  'a-library-with-one-key': 'A key as long as a boat lies across the sea, with an orange float',
  'a-room-at-fifty-per-cent': 'A dial that is half full of water, its hand upright',
  'a-timetable-is-a-promise': 'A timetable, with a line drawn across it from stop to stop',
  'how-to-fold-a-map': 'A map of leaning panels, with a road across the folds',
  'in-the-margins': 'A page with brackets, waves and a tick in red beside the text',
  'ink-that-remembers': 'Lines that darken one after the other, and an oak gall',
  'see-also': 'Four index cards and an arrow from the last to the first',
  'small-capitals': 'A large S beside one as tall as a lower-case letter',
  'the-deckle-edge': 'A sheet with rough edges on one with straight edges',
  'the-night-shift': 'Paper runs over three reels by night',
  'the-post-office-in-the-bakery': 'A loaf and a letter on one counter, with a red tape between',
  'what-the-frost-wrote': 'Ferns of frost on a window, and a red sun',
} as const

/** Uploads and publishes the covers. Returns their ids by the slugs of their articles. */
export async function addCovers(api: Api): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (const [slug, alt] of Object.entries(covers)) {
    const file = new File([await openAsBlob(magazinePath(`pictures/${slug}.webp`))], `${slug}.webp`)
    const at = { configId: 'magazine', type: 'picture', slug: `cover-${slug}` }
    const { id } = await api.assets.create({ ...at, name: alt, fields: { alt }, file })
    await api.items.publish({ configId: 'magazine', id })
    ids.set(slug, id)
  }
  return ids
}
