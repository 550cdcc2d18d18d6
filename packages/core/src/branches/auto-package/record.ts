import type { AutoPackageRule } from '@quire/contract'

declare module '../../ports/records.ts' {
  interface RecordKinds {
    autoPackageRule: AutoPackageRule
  }
}
