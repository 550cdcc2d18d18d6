/** The file name of a page in a folder of static files. */
export function pageFile(address: string): string {
  return address === '' ? 'index.html' : `${address}/index.html`
}

/**
 * The absolute URL of a page (RFC 3986), all ASCII. It ends with a slash, so that static hosts
 * serve the folder's `index.html` without a redirect.
 */
export function publicAddress(baseUrl: string, address: string): string {
  return `${rootOf(baseUrl)}${encodedFolder(address)}`
}

/**
 * The address within the site for a path. As with static hosts, `index.html` means its folder, and
 * repeated slashes count as one.
 */
export function addressAt(path: string): string {
  const parts = path.split('/').filter((part) => part !== '')
  return (parts.at(-1) === 'index.html' ? parts.slice(0, -1) : parts).join('/')
}

/** The absolute URL of a file that is not a page. */
export function publicFileAddress(baseUrl: string, file: string): string {
  return `${rootOf(baseUrl)}${encoded(file)}`
}

/** The path of a base URL, with a trailing slash. */
export function rootPath(baseUrl: string): string {
  return `${new URL(baseUrl).pathname.replace(/\/+$/, '')}/`
}

/** The base URL with a trailing slash, without query, fragment and user info. */
function rootOf(baseUrl: string): string {
  return `${new URL(baseUrl).origin}${rootPath(baseUrl)}`
}

function encodedFolder(address: string): string {
  return address === '' ? '' : `${encoded(address)}/`
}

function encoded(address: string): string {
  return address.split('/').map(encodeURIComponent).join('/')
}
