import { createClient } from '@quire/client'
import type { ContentTypes } from './generated/content-types.ts'
import { updateReadingTimes } from './reading-times.ts'

const quire = createClient<ContentTypes>({
  baseUrl: process.env['QUIRE_URL'] ?? 'http://127.0.0.1:3000',
  auth: {
    clientId: process.env['QUIRE_CLIENT_ID'] ?? '',
    clientSecret: process.env['QUIRE_CLIENT_SECRET'] ?? '',
  },
})

for (const { slug, minutes, result } of await updateReadingTimes(quire, 'magazine')) {
  console.log(`${result.padEnd(8)}${String(minutes).padStart(3)} min  ${slug}`)
}
