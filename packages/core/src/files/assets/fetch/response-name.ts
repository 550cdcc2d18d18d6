const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i
const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i
const bare = /;\s*filename\s*=\s*([^\s;"]+)/i

/**
 * The file name in a header `Content-Disposition` (RFC 6266), the one in UTF-8 if there are two;
 * undefined if there is none. Not made safe yet.
 */
export function nameInDisposition(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const encoded = extended.exec(header)?.[1]
  const plain = quoted.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? bare.exec(header)?.[1]
  return (encoded === undefined ? undefined : decoded(encoded)) ?? plain
}

/** The decoded last segment of a URL's path; undefined if it is empty. Not made safe yet. */
export function nameInUrl({ pathname }: URL): string | undefined {
  const last = pathname.split('/').at(-1) ?? ''
  return last === '' ? undefined : (decoded(last) ?? last)
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
