/**
 * JSON text that no JavaScript value represents: a duplicate member, a number beyond a double,
 * nesting beyond any stack.
 */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Like JSON.stringify, but writes each `JsonText` verbatim. Undefined members are left out. */
export function toJson(value: unknown): string {
  if (value instanceof JsonText) return value.text
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${toJson(member)}`).join(',')}}`
}
