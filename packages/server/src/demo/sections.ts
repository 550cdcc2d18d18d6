/** A section of the demo's site. */
export interface DemoSection {
  readonly name: string
  readonly slug: string
  readonly description: string
  /**
   * The template of the page at the section's address. Only the section itself links to that page
   * in the navigation.
   */
  readonly rootTemplate: string
  /** Slug of the item that the page at the section's address shows. Default: none. */
  readonly rootItem?: string
  /** The template of the other pages in the section. */
  readonly template: string
  /** Slugs of the items that those pages show, newest first. */
  readonly items: readonly string[]
}

const shelf = { rootTemplate: 'section', template: 'article' } as const

/** The sections of the demo's site after the home section, in order. */
export const demoSections: readonly DemoSection[] = [
  {
    ...shelf,
    name: 'Paper and ink',
    slug: 'paper',
    description: 'What printed things are made of, and what becomes of them.',
    items: ['how-to-fold-a-map', 'a-room-at-fifty-per-cent', 'the-deckle-edge', 'ink-that-remembers'],
  },
  {
    ...shelf,
    name: 'Type',
    slug: 'type',
    description: 'Letters, figures, and the people who decide where they go.',
    items: ['small-capitals', 'see-also', 'a-timetable-is-a-promise'],
  },
  {
    ...shelf,
    name: 'Libraries',
    slug: 'libraries',
    description: 'Rooms full of books and those who have the key.',
    items: ['a-library-with-one-key', 'in-the-margins'],
  },
  {
    ...shelf,
    name: 'Places',
    slug: 'places',
    description: 'Where paper still changes hands.',
    items: ['the-night-shift', 'the-post-office-in-the-bakery'],
  },
  {
    name: 'Contributors',
    slug: 'contributors',
    description: 'The people who write it. There are five of us, and one press.',
    rootTemplate: 'people',
    template: 'author',
    items: ['ines-okafor', 'jonah-pell', 'mirela-duda', 'saoirse-haddad', 'tomas-lindqvist'],
  },
  {
    name: 'About',
    slug: 'about',
    description: 'What Deckle is.',
    rootTemplate: 'plain',
    rootItem: 'about',
    template: 'plain',
    items: ['contribute', 'imprint'],
  },
]

/** The sections whose articles the home page shows. */
export function isShelf({ rootTemplate }: DemoSection): boolean {
  return rootTemplate === shelf.rootTemplate
}
