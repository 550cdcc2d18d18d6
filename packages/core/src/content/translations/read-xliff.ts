import { SaxesParser, type SaxesTagNS } from 'saxes'
import { invalid } from '../../engine/check-input.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { subStatePrefix, xliffVersions, type XliffHeader, type XliffVersion } from './write-xliff.ts'

/** A unit of an XLIFF file. */
export interface XliffUnit {
  /** The id of the item: that of the file in the document. */
  readonly itemId: string
  readonly path: string
  /** The line in the document, from 1. */
  readonly startsAt: number
  readonly source: string
  /** Null if a segment is not translated. */
  readonly target: string | null
  /** Whether the state of each segment says that somebody has worked on it. */
  readonly isWorkedOn: boolean
  /** The fingerprint of the translation when the file was made; null if the file does not say. */
  readonly exported: string | null
}

/** What a document says, in its order. */
interface XliffDocument {
  readonly header: XliffHeader
  readonly units: readonly XliffUnit[]
}

// Elements within each other. The parser looks for a namespace in all that are open, so a file of nothing
// else would take time by its square. XLIFF has about ten.
const mostDepth = 100

// Units of a file, and the segments of one. 64 MiB of empty ones would take gigabytes of memory.
const mostUnits = 200_000
const mostSegments = 10_000

// Attributes of an element, and the characters of one. XLIFF has about ten, and each namespace needs one.
const mostAttributes = 100
const longestAttribute = 10_000

// Characters of a document that a message repeats, enough to recognize them.
const mostRepeated = 200

// Characters that are parsed before others get their turn, about 3 ms.
const mostAtOnce = 65_536

/**
 * Reads XLIFF 2.1 or 2.2. Texts of several segments are joined, with what is between them; elements
 * within them count for their text. Errors: `invalid` for anything else, naming the line.
 */
export async function readXliff(text: string): Promise<XliffDocument> {
  const reader = new XliffReader()
  const yieldToLoop = yieldingToLoop()
  for (let at = 0; at < text.length; at += mostAtOnce) {
    reader.parser.write(text.slice(at, at + mostAtOnce))
    await yieldToLoop()
  }
  reader.parser.close()
  if (!reader.header) throw reader.problem('is not XLIFF')
  return { header: reader.header, units: reader.units }
}

/** The start of a text from a document, which can be as long as the document. */
export function cut(text: string): string {
  return text.length > mostRepeated ? `${text.slice(0, mostRepeated).toWellFormed()}…` : text
}

/** A segment, or what is between segments. The texts are null until they begin. */
interface Part {
  readonly isSegment: boolean
  readonly isWorkedOn: boolean
  readonly exported: string | null
  source: string | null
  target: string | null
}

interface OpenUnit {
  readonly path: string
  readonly startsAt: number
  readonly parts: Part[]
}

// The elements that each element can be in. Those of other namespaces have no name here: modules have
// sources and targets of their own.
const parents: ReadonlyMap<string, readonly string[]> = new Map([
  ['xliff', []],
  ['file', ['xliff']],
  ['group', ['file', 'group']],
  ['unit', ['file', 'group']],
  ['segment', ['unit']],
  ['ignorable', ['unit']],
  ['source', ['segment', 'ignorable', '']],
  ['target', ['segment', 'ignorable', '']],
])

/** The state of a document that is being read. */
class XliffReader {
  readonly parser = new SaxesParser({ xmlns: true, position: true })
  readonly units: XliffUnit[] = []
  header: XliffHeader | null = null
  private namespace = ''
  private readonly names: string[] = []
  private itemId = ''
  private unit: OpenUnit | null = null
  private text: 'source' | 'target' | null = null
  private attributes = 0

  constructor() {
    const { parser } = this
    parser.on('error', ({ message }) => {
      throw this.problem(`is not XML: ${message.replace(/^(?:[^:]*:)?\d+:\d+: /, '')}`)
    })
    parser.on('doctype', () => {
      throw this.problem('has a document type, which XLIFF does not need')
    })
    parser.on('opentagstart', () => {
      this.attributes = 0
    })
    parser.on('attribute', ({ name, value }) => {
      this.countAttribute(name.length + value.length)
    })
    parser.on('opentag', (tag) => {
      this.open(tag)
    })
    parser.on('closetag', (tag) => {
      this.close(tag)
    })
    parser.on('text', (text) => {
      this.add(text)
    })
    parser.on('cdata', (text) => {
      this.add(text)
    })
  }

  /** The error for a document that cannot be read. */
  problem(message: string): Error {
    return invalid([{ path: 'file', message: `line ${this.parser.line}: ${cut(message)}` }])
  }

  private countAttribute(length: number): void {
    this.attributes += 1
    if (this.attributes > mostAttributes)
      throw this.problem(`has more than ${mostAttributes} attributes in an element`)
    if (length > longestAttribute)
      throw this.problem(`has an attribute of more than ${longestAttribute} characters`)
  }

  private open(tag: SaxesTagNS): void {
    if (this.names.length >= mostDepth)
      throw this.problem(`has more than ${mostDepth} elements within each other`)
    const parent = this.names.at(-1) ?? ''
    // Elements of other namespaces are parts of modules and extensions.
    const name = this.header && tag.uri !== this.namespace ? '' : tag.local
    this.names.push(name)
    if (this.header) this.requireParent(name, parent)
    if (!this.header) this.openDocument(tag)
    else if (isPart(parent)) this.openText(name, tag)
    else if (name === 'cp') this.add(characterOf(tag))
    else this.openStructure(name, tag)
  }

  /** Errors: `invalid` for an element that cannot be here, whose texts would count for another. */
  private requireParent(name: string, parent: string): void {
    const known = parents.get(name)
    if (known && (this.text !== null || !known.includes(parent)))
      throw this.problem(`has <${name}> in ${parent === '' ? 'another element' : `<${parent}>`}`)
  }

  private openStructure(name: string, tag: SaxesTagNS): void {
    if (name === 'file') this.itemId = this.idOf(tag)
    else if (name === 'unit') this.unit = { path: this.idOf(tag), startsAt: this.parser.line, parts: [] }
    else if (isPart(name)) this.openPart(name, tag)
  }

  private idOf(tag: SaxesTagNS): string {
    const id = attributeOf(tag, 'id')
    if (id === '') throw this.problem(`has <${tag.local}> without an id`)
    return id
  }

  private openPart(name: string, tag: SaxesTagNS): void {
    const parts: Part[] = this.unit?.parts ?? []
    if (parts.length >= mostSegments) throw this.problem(`has more than ${mostSegments} segments in a unit`)
    const isSegment = name === 'segment'
    const work = { isWorkedOn: isWorkedOn(tag), exported: isSegment ? exportedIn(tag) : null }
    parts.push({ isSegment, ...work, source: null, target: null })
  }

  private openDocument(tag: SaxesTagNS): void {
    if (tag.local !== 'xliff') throw this.problem(`is not XLIFF, but <${tag.local}>`)
    const version = attributeOf(tag, 'version')
    if (!isVersion(version)) {
      const known = Object.keys(xliffVersions).join(' and ')
      throw this.problem(`has the version "${version}" of XLIFF: ${known} can be read`)
    }
    if (tag.uri !== xliffVersions[version])
      throw this.problem(`has the namespace "${tag.uri}", not "${xliffVersions[version]}"`)
    this.namespace = tag.uri
    this.header = {
      version,
      sourceLocale: attributeOf(tag, 'srcLang'),
      targetLocale: attributeOf(tag, 'trgLang'),
    }
  }

  private openText(name: string, tag: SaxesTagNS): void {
    if (name !== 'source' && name !== 'target') return
    if (attributeOf(tag, 'order') !== '')
      throw this.problem('has segments in another order than in the source, which cannot be read')
    this.text = name
    const part = this.unit?.parts.at(-1)
    if (!part) return
    if (part[name] !== null) throw this.problem(`has two <${name}> in a segment`)
    part[name] = ''
  }

  private add(text: string): void {
    const part = this.unit?.parts.at(-1)
    if (!part || !this.text) return
    part[this.text] = `${part[this.text] ?? ''}${text}`
  }

  private close({ local }: SaxesTagNS): void {
    const name = this.names.pop()
    if (name === 'source' || name === 'target') this.text = null
    if (name !== 'unit' || local !== 'unit' || !this.unit) return
    const { path, startsAt, parts } = this.unit
    if (this.units.length >= mostUnits) throw this.problem(`has more than ${mostUnits} units: split the file`)
    const isTranslated = parts.every(({ isSegment, source, target }) => !isSegment || target || !source)
    this.units.push({
      itemId: this.itemId,
      path,
      startsAt,
      source: parts.map(({ source }) => source).join(''),
      target: isTranslated ? parts.map(({ source, target }) => target ?? source).join('') : null,
      isWorkedOn: parts.every((part) => !part.isSegment || part.isWorkedOn),
      exported: parts.find((part) => part.exported !== null)?.exported ?? null,
    })
    this.unit = null
  }
}

/** Whether an element has a source and a target. Modules have others. */
function isPart(name: string): boolean {
  return name === 'segment' || name === 'ignorable'
}

/**
 * Whether the state of a segment says that somebody has worked on it. By the standard one without a
 * state is an initial one, and who changes the state replaces the sub-state, too.
 */
function isWorkedOn(tag: SaxesTagNS): boolean {
  const isLater = ['translated', 'reviewed', 'final'].includes(attributeOf(tag, 'state'))
  return isLater && !attributeOf(tag, 'subState').startsWith(subStatePrefix)
}

/** The fingerprint in the sub-state of a segment: `quire:missing`, `quire:outdated-1f0c…`. */
function exportedIn(tag: SaxesTagNS): string | null {
  const subState = attributeOf(tag, 'subState')
  return subState.startsWith(subStatePrefix) ? (subState.split('-')[1] ?? '') : null
}

/** The character of an element `cp`, which XML cannot have. */
function characterOf(tag: SaxesTagNS): string {
  const code = Number.parseInt(attributeOf(tag, 'hex'), 16)
  return String.fromCodePoint(code >= 0 && code <= 0x10ffff ? code : 0xfffd)
}

function attributeOf({ attributes }: SaxesTagNS, name: string): string {
  return attributes[name]?.value ?? ''
}

function isVersion(version: string): version is XliffVersion {
  return Object.hasOwn(xliffVersions, version)
}
