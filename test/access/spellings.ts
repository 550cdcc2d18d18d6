/** Alternative spellings of a path that starts with `/` and has no query string, by description. */
export const spellings: Readonly<Record<string, (path: string) => string>> = {
  'an escaped letter': (path) => `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`,
  'a doubly escaped letter': (path) => `/%25${path.charCodeAt(1).toString(16)}${path.slice(2)}`,
  'two slashes': (path) => `/${path}`,
  'two slashes within': (path) => path.replace(/(?<=.)\//, '//'),
  'an escaped slash': (path) => path.replace(/(?<=.)\//, '%2f'),
  'a dot segment': (path) => `/.${path}`,
  'an escaped dot segment': (path) => `/%2e${path}`,
  'there and back': (path) => `${firstOf(path)}/..${path}`,
  'there and back, escaped': (path) => `${firstOf(path)}/%2e%2e${path}`,
  'there and back, half escaped': (path) => `${firstOf(path)}/.%2E${path}`,
  'a slash at the end': (path) => `${path}/`,
  'upper case': (path) => firstOf(path).toUpperCase() + path.slice(firstOf(path).length),
  'a parameter at the end': (path) => `${path};x=1`,
  'a parameter within': (path) => `${firstOf(path)};x=1${path.slice(firstOf(path).length)}`,
  'a byte that is no text': (path) => `${path}%ff`,
  'a NUL': (path) => `${path}%00`,
  'a NUL within': (path) => `${firstOf(path)}%00${path.slice(firstOf(path).length)}`,
  backslashes: (path) => path.replaceAll('/', '\\'),
  'a fragment': (path) => `${path}#x`,
  'an empty query': (path) => `${path}?`,
  'a query of nothing': (path) => `${path}?&`,
  'a whole address': (path) => `http://quire.test${path}`,
  'half an escape': (path) => `${path}%`,
}

function firstOf(path: string): string {
  return `/${path.split('/')[1] ?? ''}`
}
