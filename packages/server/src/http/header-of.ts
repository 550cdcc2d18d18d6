import type { FastifyRequest } from 'fastify'

/** Reads the headers of a request by their names in lower case. */
export function headerOf({ headers }: Pick<FastifyRequest, 'headers'>): (name: string) => string | undefined {
  return (name) => headers[name]?.toString()
}
