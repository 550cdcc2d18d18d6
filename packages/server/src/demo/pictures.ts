import { openAsBlob } from 'node:fs'
import type { Api } from '@quire/contract'
import { magazinePath } from './demo-path.ts'

/** Alternative texts of the covers by locale, by the slugs of their articles. */
const covers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a-library-with-one-key': {
    en: 'A key as long as a boat lies across the sea, with an orange float',
    de: 'Ein Schlüssel, so lang wie ein Boot, liegt quer über dem Meer, mit einem orangen Schwimmer',
    ar: 'مفتاح بطول قارب ممدّد على البحر، وعوّامة برتقالية',
  },
  'a-room-at-fifty-per-cent': { en: 'A dial that is half full of water, its hand upright' },
  'a-timetable-is-a-promise': { en: 'A timetable, with a line drawn across it from stop to stop' },
  'how-to-fold-a-map': { en: 'A map of leaning panels, with a road across the folds' },
  'in-the-margins': { en: 'A page with brackets, waves and a tick in red beside the text' },
  'ink-that-remembers': {
    en: 'Lines that darken one after the other, and an oak gall',
    de: 'Zeilen, die eine nach der anderen dunkler werden, und ein Gallapfel',
    ar: 'سطور يشتدّ سوادها واحدًا بعد آخر، وعفصة بلوط',
  },
  'see-also': { en: 'Four index cards and an arrow from the last to the first' },
  'small-capitals': { en: 'A large S beside one as tall as a lower-case letter' },
  'the-deckle-edge': {
    en: 'A sheet with rough edges on one with straight edges',
    de: 'Ein Bogen mit rauem Rand auf einem mit geraden Kanten',
  },
  'the-night-shift': { en: 'Paper runs over three reels by night' },
  'the-post-office-in-the-bakery': {
    en: 'A loaf and a letter on one counter, with a red tape between',
  },
  'what-the-frost-wrote': {
    en: 'Ferns of frost on a window, and a red sun',
    de: 'Farne aus Frost an einem Fenster und eine rote Sonne',
    ar: 'سرخس من الصقيع على نافذة، وشمس حمراء',
  },
}

/**
 * Uploads the covers, and publishes each in the locales in which it has a text. Returns their ids by
 * the slugs of their articles.
 */
export async function addCovers(api: Api): Promise<ReadonlyMap<string, string>> {
  const configId = 'magazine'
  const ids = new Map<string, string>()
  for (const [slug, alt] of Object.entries(covers)) {
    const file = new File([await openAsBlob(magazinePath(`pictures/${slug}.webp`))], `${slug}.webp`)
    const name = alt['en'] ?? slug
    const at = { configId, type: 'picture', slug: `cover-${slug}` }
    const { id } = await api.assets.create({ ...at, name, fields: { alt: name }, file })
    await api.items.update({ configId, id, locale: '*', fields: { alt } })
    await api.items.publish({ configId, id, locales: Object.keys(alt) })
    ids.set(slug, id)
  }
  return ids
}
