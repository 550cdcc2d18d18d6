/**
 * Walks through a JSON text that `JSON.stringify` made, so it has no white space. Long strings are
 * passed over by native search, which is why this is faster than parsing.
 */
export class TextReader {
  readonly text: string
  /** The position of the next value. */
  at: number

  constructor(text: string, at = 0) {
    this.text = text
    this.at = at
  }

  /**
   * Yields the names of the members of the object at the current position. Whoever takes one passes
   * over its value.
   */
  *members(): Generator<string> {
    this.at += 1
    while (this.text[this.at] !== '}') {
      if (this.text[this.at] === ',') this.at += 1
      const name = this.take()
      this.at += 1
      yield name.slice(1, -1)
    }
    this.at += 1
  }

  /** Yields the index of each entry of the list at the current position, like `members`. */
  *entries(): Generator<number> {
    this.at += 1
    for (let index = 0; this.text[this.at] !== ']'; index++) {
      if (this.text[this.at] === ',') this.at += 1
      yield index
    }
    this.at += 1
  }

  /** The sign at the current position. */
  get sign(): string | undefined {
    return this.text[this.at]
  }

  /** The text of the value at the current position, which is passed over. */
  take(): string {
    const from = this.at
    this.skip()
    return this.text.slice(from, this.at)
  }

  /** Passes over the value at the current position. */
  skip(): void {
    const { sign } = this
    if (sign === '"') this.at = this.#endOfString()
    else if (sign === '{' || sign === '[') this.#skipNested()
    else while (!',}]'.includes(this.sign ?? ',')) this.at += 1
  }

  #skipNested(): void {
    let depth = 0
    do {
      const { sign } = this
      if (sign === '"') this.at = this.#endOfString()
      else {
        if (sign === '{' || sign === '[') depth += 1
        if (sign === '}' || sign === ']') depth -= 1
        this.at += 1
      }
    } while (depth > 0)
  }

  /** The position after the string at the current position. */
  #endOfString(): number {
    for (let end = this.text.indexOf('"', this.at + 1); ; end = this.text.indexOf('"', end + 1)) {
      let escapes = 0
      while (this.text[end - 1 - escapes] === '\\') escapes += 1
      if (escapes % 2 === 0) return end + 1
    }
  }
}
