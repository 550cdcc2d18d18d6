import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { expect, it } from 'vitest'
import { frontPage } from './front-page.ts'
import { correctEnglish, createMagazine } from './magazine.ts'

it('shows in each locale what is public in it', async () => {
  const engine = createQuire({ store: createMemoryStore() })
  const quire = engine.as(systemIdentity('example'))
  await createMagazine(quire)
  await correctEnglish(quire, 'paper-by-hand', 'Paper, made by hand')
  expect(await frontPage(quire, 'en')).toEqual([
    'Ink that remembers: Tannins react with iron.',
    'Lead type: Cast, set, printed, melted.',
    'Paper, made by hand: A vat, a mould and a felt.',
  ])
  expect(await frontPage(quire, 'de')).toEqual([
    'Tinte, die sich erinnert: Tannins react with iron. (en)',
    'Papier von Hand: Bütte, Sieb und Filz.',
  ])
  expect(await frontPage(quire, 'ar')).toEqual(['حبر يتذكر: العفص يتفاعل مع الحديد.'])
  await engine.close()
})
