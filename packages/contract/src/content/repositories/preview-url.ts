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
      'In braces: `slug`, `locale`, `package` (empty on main), `token` (a reading token, see `items.preview`), `id` and `type`. Absent: nowhere',
  )

/** Why a text is no address for previews; null when it is one. */
function problemOf(text: string): string | null {
  if (/[\s\\\p{Cc}]/u.test(text)) return 'must not have spaces, backslashes or control characters'
  const plain = text.replace(named, 'x')
  const unknown = /\{[^{}]*\}?/.exec(plain)?.[0]
  if (unknown !== undefined) return `has ${unknown}: in braces can be ${previewNames.join(', ')}`
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(plain)) return 'must be an address: https://…'
  const url = new URL(plain)
  // A value must not decide to whom it is sent.
  if (originOf(text.replace(named, 'y')) !== url.origin) return 'must have its names after the host'
  return hostProblemOf(url, hasPreviewName(text, 'token'))
}

function hostProblemOf({ protocol, hostname, username, password }: URL, hasToken: boolean): string | null {
  if (username !== '' || password !== '') return 'must not have a user name or password'
  // It becomes part of the policy of a page, in which other characters have a meaning.
  if (!/^[a-z0-9.-]{1,253}$/.test(hostname)) return 'must have a host of letters, digits, dots and hyphens'
  const isOpen = protocol === 'http:' && !/^(?:localhost|127(?:\.\d+){3}|.+\.localhost)$/.test(hostname)
  return isOpen && hasToken ? 'must be https://…, because a token is sent to it' : null
}

function originOf(text: string): string | null {
  return URL.canParse(text) ? new URL(text).origin : null
}
