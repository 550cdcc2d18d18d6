/** HTML that is safe as it is: output does not escape it again. For filters it is the text. */
export class SafeHtml {
  readonly html: string

  constructor(html: string) {
    this.html = html
  }

  toString(): string {
    return this.html
  }

  valueOf(): string {
    return this.html
  }

  toJSON(): string {
    return this.html
  }

  /** What the operator `contains` asks. */
  indexOf(part: unknown): number {
    return this.html.indexOf(String(part))
  }
}

/** HTML for output; nothing for none, so that templates can compare it with `blank`. */
export function safeHtml(html: string): SafeHtml | '' {
  return html === '' ? '' : new SafeHtml(html)
}
