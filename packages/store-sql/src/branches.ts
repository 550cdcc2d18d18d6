import { type Branch, isPublishedBranch } from '@quire/core/ports'

/** Maps branches to the numbers that rows store for them, and back. */
export interface BranchNames {
  /** Null when nothing was ever written on the branch. */
  numberOf(branch: Branch): number | null
  /** The branch that a row's number stands for. Errors: throws for an unknown number. */
  nameOf(number: number): Branch
}

/** The branches added here, on top of those of an underlying table. */
export interface BranchTable extends BranchNames {
  add(number: number, branch: Branch): void
  /**
   * The numbers of the repository's branches in this table, without those of the underlying one.
   */
  numbersIn(repositoryId: string): readonly number[]
  /** Whether nothing was added here, whatever the underlying table holds. */
  isEmpty(): boolean
  /** Adds every branch of this table to another one. */
  moveTo(target: BranchTable): void
}

/** Opens a table of branches. Look-ups that it cannot answer go to `under`. */
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

/** The branches that a read looks in: a package's own branch first, then main. */
export interface Scope {
  /**
   * The number of the package's branch. Null when nothing was written on it, or when the branch is
   * main.
   */
  readonly own: number | null
  readonly main: number | null
  /** Whether the read roles of main's heads apply to own ones, too: the branch is a package. */
  readonly isPackage: boolean
}

/** The branches that a read of `branch` has to look in. */
export function scopeOf(branches: BranchNames, branch: Branch): Scope {
  if (branch.packageId === null) return { own: null, main: branches.numberOf(branch), isPackage: false }
  return {
    own: branches.numberOf(branch),
    main: branches.numberOf({ repositoryId: branch.repositoryId, packageId: null }),
    isPackage: !isPublishedBranch(branch),
  }
}
