import type { Branch } from '@quire/core/ports'

/** The numbers of branches, and the branches of numbers. */
export interface BranchNames {
  /** The number of a branch; null when nothing was ever written on it. */
  numberOf(branch: Branch): number | null
  /** The branch of a number that a row holds. Errors: throws for a number that was never given. */
  nameOf(number: number): Branch
}

/** Branches that are known, over those that were known before. */
export interface BranchTable extends BranchNames {
  add(number: number, branch: Branch): void
  /** The numbers of all branches of a repository that something was written on. */
  numbersIn(repositoryId: string): readonly number[]
  /** Whether it has no branch of its own. */
  isEmpty(): boolean
  /** Gives every branch to another table. */
  moveTo(target: BranchTable): void
}

/** Opens a table of branches. What it does not know it asks of `under`. */
export function createBranchTable(under?: BranchNames): BranchTable {
  const numbers = new Map<string, Map<string | null, number>>()
  const names = new Map<number, Branch>()
  return {
    numberOf: (branch) =>
      numbers.get(branch.repositoryId)?.get(branch.packageId) ?? under?.numberOf(branch) ?? null,
    nameOf: (number) => names.get(number) ?? requireName(under, number),
    numbersIn: (repositoryId) => [...(numbers.get(repositoryId)?.values() ?? [])],
    add(number, { repositoryId, packageId }) {
      const packages = numbers.get(repositoryId) ?? new Map<string | null, number>()
      numbers.set(repositoryId, packages.set(packageId, number))
      names.set(number, { repositoryId, packageId })
    },
    isEmpty: () => names.size === 0,
    moveTo(target) {
      for (const [number, branch] of names) target.add(number, branch)
    },
  }
}

function requireName(under: BranchNames | undefined, number: number): Branch {
  if (!under) throw new TypeError(`A row names branch ${number}, which is not in the table of branches.`)
  return under.nameOf(number)
}

/** A branch as reads see it: the numbers to look in, nearest first. */
export interface Scope {
  /** The branch itself; null when nothing was written on it, or when it is main. */
  readonly own: number | null
  readonly main: number | null
}

/** Where to look for what a branch shows. */
export function scopeOf(branches: BranchNames, branch: Branch): Scope {
  if (branch.packageId === null) return { own: null, main: branches.numberOf(branch) }
  return {
    own: branches.numberOf(branch),
    main: branches.numberOf({ repositoryId: branch.repositoryId, packageId: null }),
  }
}
