import type { Api } from '@quire/contract'

/** The repository of the magazine. */
export const configId = 'magazine'

const list = [
  { code: 'en', name: 'English' },
  { code: 'de', name: 'Deutsch', fallback: 'en' },
  { code: 'ar', name: 'العربية', direction: 'rtl' as const },
]

/** The values of an article by locale. */
interface Translations {
  readonly [locale: string]: string
}

interface Article {
  readonly name: string
  readonly title: Translations
  readonly teaser: Translations
}

const articles: readonly Article[] = [
  {
    name: 'Ink that remembers',
    title: { en: 'Ink that remembers', de: 'Tinte, die sich erinnert', ar: 'حبر يتذكر' },
    teaser: { en: 'Tannins react with iron.', ar: 'العفص يتفاعل مع الحديد.' },
  },
  {
    name: 'Paper by hand',
    title: { en: 'Paper by hand', de: 'Papier von Hand' },
    teaser: { en: 'A vat, a mould and a felt.', de: 'Bütte, Sieb und Filz.' },
  },
  { name: 'Lead type', title: { en: 'Lead type' }, teaser: { en: 'Cast, set, printed, melted.' } },
]

/** Creates the magazine with its articles, each public in the locales that have a title. */
export async function createMagazine(quire: Api): Promise<void> {
  await quire.repositories.create({
    name: configId,
    public: true,
    settings: { locales: { default: 'en', list } },
  })
  await quire.types.create({
    name: 'article',
    settings: { titleField: 'title', slugFrom: 'title' },
    fields: [
      { name: 'title', kind: 'text', localized: true, required: true },
      { name: 'teaser', kind: 'text', localized: true },
    ],
  })
  for (const { name, title, teaser } of articles) {
    const { id } = await quire.items.create({
      repositoryId: configId,
      type: 'article',
      name,
      locale: '*',
      fields: { title: { ...title }, teaser: { ...teaser } },
    })
    await quire.items.publish({ configId, id, locales: Object.keys(title) })
  }
}

/** Saves a newer English title of an article and publishes it, while German shows what it did. */
export async function correctEnglish(quire: Api, slug: string, title: string): Promise<void> {
  const { id } = await quire.items.getBySlug({ configId, slug })
  await quire.items.update({ configId, id, locale: 'en', fields: { title } })
  await quire.items.publish({ configId, id, locales: ['en'] })
}
