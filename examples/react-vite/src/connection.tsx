import { createClient, type Client } from '@quire/client'
import { createContext, use } from 'react'
import type { ContentTypes } from './content-types.ts'

/** The address of the service. It must allow this page: `--cors-origin http://127.0.0.1:5173`. */
export const baseUrl: string = import.meta.env['VITE_QUIRE_URL'] ?? 'http://127.0.0.1:3000'

/** The repository of this page. */
export const inMagazine = { configId: 'magazine' } as const

/** A client of the service, with the types of the magazine. */
export function connect(token: string): Client<ContentTypes> {
  return createClient<ContentTypes>({ baseUrl, auth: { token } })
}

/** The client for the components below. */
export const Connection = createContext<Client<ContentTypes> | null>(null)

/** The client. Errors: Error outside of a `Connection`. */
export function useQuire(): Client<ContentTypes> {
  const quire = use(Connection)
  if (!quire) throw new Error('There is no Connection around this component.')
  return quire
}
