import { createClient } from '@quire/client'
import { articlesWhere, newestArticles, saveDraft } from './articles.ts'
import { createAsk } from './ask.ts'

const baseUrl = process.env['QUIRE_URL'] ?? 'http://127.0.0.1:3000'
const auth = {
  clientId: process.env['QUIRE_CLIENT_ID'] ?? '',
  clientSecret: process.env['QUIRE_CLIENT_SECRET'] ?? '',
}
const ask = createAsk(createClient({ baseUrl, auth }), 'magazine')

console.log('The newest')
for (const { name, title, author, publishedOn, cover } of await newestArticles(ask, 3)) {
  console.log(`  ${publishedOn}  ${title ?? name}, by ${author?.name ?? 'an unknown author'}`)
  if (cover?.rendition) console.log(`              ${new URL(cover.rendition.url, baseUrl)}`)
}

console.log('About paper')
for await (const { slug, readingMinutes } of articlesWhere(ask, { topics: { eq: 'paper' } })) {
  console.log(`  ${slug}, ${readingMinutes} min`)
}

const fields = {
  title: 'The weight of a page',
  summary: 'Eighty grams, and what they carry.',
  topics: ['paper'],
}
const { slug, status, currentVersion } = await saveDraft(ask, { slug: 'the-weight-of-a-page', fields })
console.log(`Saved\n  ${slug}, ${status}, version ${currentVersion}`)
