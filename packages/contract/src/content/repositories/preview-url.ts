import { z } from 'zod'
import { limits } from '../../limits.ts'

/** What an address of a front end can say about an item: see `PreviewUrl`. */
export const previewNames = ['slug', 'locale', 'package', 'token', 'id', 'type'] as const

/** One of `previewNames`. */
export type PreviewName = (typeof previewNames)[number]

/** The address of a front end for one item. Each value is encoded as a part of an address. */
export function previewAddress(template: string, values: Readonly<Record<PreviewName, string>>): string {
  return template.replace(named, (_, name: PreviewName) => encodeURIComponent(values[name]))
}

/** Whether the address of a front end has a name in it. */
export function hasPreviewName(template: string, name: PreviewName): boolean {
  return template.includes(`{${name}}`)
}

const named = new RegExp(`\\{(${previewNames.join('|')})\\}`, 'g')

/** Where one's own front end shows an item. */
export const PreviewUrl = z
  .string()
  .max(limits.previewUrl)
  .superRefine((text, context) => {
    const message = problemOf(text)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
  .describe(
    'Where your own front end shows an item, as in `https://www.example.com/preview/{slug}?package={package}&token={token}`. ' +
      'In braces: `slug`, `locale`, `package` (empty on main), `token` (a reading token, see `items.previewUrl`), `id` and `type`. Absent: nowhere',
  )

/** Why a text is no address for previews; null when it is one. */
function problemOf(text: string): string | null {
  const plain = text.replace(named, 'x')
  const unknown = /\{[^{}]*\}?/.exec(plain)?.[0]
  if (unknown !== undefined) return `has ${unknown}: in braces can be ${previewNames.join(', ')}`
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(plain)) return 'must be an address: https://…'
  const { origin, username, password } = new URL(plain)
  if (username !== '' || password !== '') return 'must not have a user name or password'
  // A value must not decide to whom it is sent.
  const sent = URL.canParse(text.replace(named, 'y')) ? new URL(text.replace(named, 'y')).origin : null
  return sent === origin ? null : 'must have its names after the host'
}
