/** What a section is called in a locale. */
interface SectionTexts {
  readonly name: string
  readonly slug: string
  readonly description: string
}

/** A section of the demo's site. */
export interface DemoSection extends SectionTexts {
  readonly locales: { readonly de: SectionTexts; readonly ar: SectionTexts }
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
    locales: {
      de: {
        name: 'Papier und Tinte',
        slug: 'papier',
        description: 'Woraus Gedrucktes besteht und was daraus wird.',
      },
      ar: {
        name: 'الورق والحبر',
        slug: 'ورق',
        description: 'ممّ تُصنع المطبوعات، وما يؤول إليه أمرها.',
      },
    },
    items: ['how-to-fold-a-map', 'a-room-at-fifty-per-cent', 'the-deckle-edge', 'ink-that-remembers'],
  },
  {
    ...shelf,
    name: 'Type',
    slug: 'type',
    description: 'Letters, figures, and the people who decide where they go.',
    locales: {
      de: {
        name: 'Schrift',
        slug: 'schrift',
        description: 'Buchstaben, Ziffern und die Menschen, die entscheiden, wohin sie gehören.',
      },
      ar: {
        name: 'الحروف',
        slug: 'حروف',
        description: 'الحروف والأرقام، ومن يقرّرون أين تُوضع.',
      },
    },
    items: ['small-capitals', 'see-also', 'a-timetable-is-a-promise'],
  },
  {
    ...shelf,
    name: 'Libraries',
    slug: 'libraries',
    description: 'Rooms full of books and those who have the key.',
    locales: {
      de: {
        name: 'Bibliotheken',
        slug: 'bibliotheken',
        description: 'Räume voller Bücher und die, die den Schlüssel haben.',
      },
      ar: {
        name: 'المكتبات',
        slug: 'مكتبات',
        description: 'غرف ملأى بالكتب، ومن يحملون مفاتيحها.',
      },
    },
    items: ['a-library-with-one-key', 'in-the-margins'],
  },
  {
    ...shelf,
    name: 'Places',
    slug: 'places',
    description: 'Where paper still changes hands.',
    locales: {
      de: {
        name: 'Orte',
        slug: 'orte',
        description: 'Wo Papier noch von Hand zu Hand geht.',
      },
      ar: {
        name: 'أماكن',
        slug: 'أماكن',
        description: 'حيث لا يزال الورق ينتقل من يد إلى يد.',
      },
    },
    items: ['the-night-shift', 'the-post-office-in-the-bakery'],
  },
  {
    name: 'Contributors',
    slug: 'contributors',
    description: 'The people who write it. There are five of us, and one press.',
    locales: {
      de: {
        name: 'Mitwirkende',
        slug: 'mitwirkende',
        description: 'Die Menschen, die Deckle schreiben. Wir sind fünf, mit einer Presse.',
      },
      ar: {
        name: 'المساهمون',
        slug: 'مساهمون',
        description: 'من يكتبون «ديكل». نحن خمسة، ومطبعة واحدة.',
      },
    },
    rootTemplate: 'people',
    template: 'author',
    items: ['ines-okafor', 'jonah-pell', 'mirela-duda', 'saoirse-haddad', 'tomas-lindqvist'],
  },
  {
    name: 'About',
    slug: 'about',
    description: 'What Deckle is.',
    locales: {
      de: {
        name: 'Über uns',
        slug: 'über-uns',
        description: 'Was Deckle ist.',
      },
      ar: {
        name: 'عن المجلة',
        slug: 'عن-المجلة',
        description: 'ما هي «ديكل».',
      },
    },
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
