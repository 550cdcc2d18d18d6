import type { Line } from '@quire/core/ports'

/** The numbers of lines, and the lines of numbers. */
export interface LineNames {
  /** The number of a line; null when nothing was ever written on it. */
  numberOf(line: Line): number | null
  /** The line of a number that a row holds. Errors: throws for a number that was never given. */
  nameOf(number: number): Line
}

/** Lines that are known, over those that were known before. */
export interface LineTable extends LineNames {
  add(number: number, line: Line): void
  /** The numbers of all lines of a repository that something was written on. */
  numbersIn(repositoryId: string): readonly number[]
  /** Whether it has no line of its own. */
  isEmpty(): boolean
  /** Gives every line to another table. */
  moveTo(target: LineTable): void
}

/** Opens a table of lines. What it does not know it asks of `under`. */
export function createLineTable(under?: LineNames): LineTable {
  const numbers = new Map<string, Map<string | null, number>>()
  const names = new Map<number, Line>()
  return {
    numberOf: (line) => numbers.get(line.repositoryId)?.get(line.packageId) ?? under?.numberOf(line) ?? null,
    nameOf: (number) => names.get(number) ?? requireName(under, number),
    numbersIn: (repositoryId) => [...(numbers.get(repositoryId)?.values() ?? [])],
    add(number, { repositoryId, packageId }) {
      const packages = numbers.get(repositoryId) ?? new Map<string | null, number>()
      numbers.set(repositoryId, packages.set(packageId, number))
      names.set(number, { repositoryId, packageId })
    },
    isEmpty: () => names.size === 0,
    moveTo(target) {
      for (const [number, line] of names) target.add(number, line)
    },
  }
}

function requireName(under: LineNames | undefined, number: number): Line {
  if (!under) throw new TypeError(`A row names line ${number}, which is not in the table of lines.`)
  return under.nameOf(number)
}

/** A line as reads see it: the numbers to look in, nearest first. */
export interface Place {
  /** The line itself; null when nothing was written on it, or when it is main. */
  readonly own: number | null
  readonly main: number | null
}

/** Where to look for what a line shows. */
export function placeOf(lines: LineNames, line: Line): Place {
  if (line.packageId === null) return { own: null, main: lines.numberOf(line) }
  return {
    own: lines.numberOf(line),
    main: lines.numberOf({ repositoryId: line.repositoryId, packageId: null }),
  }
}
