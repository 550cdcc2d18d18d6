import { isIPv6 } from 'node:net'
import { type Address, parseAddress, reachedBy } from './addresses.ts'

/** Non-public hosts and addresses that may be connected to. */
export interface Allowance {
  /** Whether a name may resolve to any address. */
  hasName(name: string, port: number): boolean
  hasAddress(address: Address, port: number): boolean
}

type Rule = NameRule | RangeRule

interface NameRule {
  readonly name: string
  /** Null for every port. */
  readonly port: number | null
}

interface RangeRule {
  readonly range: readonly [Address, number]
  readonly port: number | null
}

/**
 * Parses a comma-separated list: hosts (`engine.internal`, `10.1.2.3`, `[fd00::1]`), optionally
 * with a port (`engine.internal:8080`), and ranges (`10.0.0.0/8`).
 * Errors: TypeError that names an invalid entry.
 */
export function parseEgressAllow(text: string): readonly string[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  entries.forEach(parseRule)
  return entries
}

/** The allowance of a list of entries. Errors: TypeError that names an invalid entry. */
export function allowanceOf(entries: readonly string[]): Allowance {
  const rules = entries.map(parseRule)
  const names = rules.filter((rule) => 'name' in rule)
  const ranges = rules.filter((rule) => 'range' in rule)
  return {
    hasName: (name, port) => names.some((rule) => rule.name === withoutDot(name) && isOfPort(rule, port)),
    hasAddress: (address, port) => ranges.some((rule) => isOfPort(rule, port) && holds(rule, address)),
  }
}

function isOfPort(rule: Rule, port: number): boolean {
  return rule.port === null || rule.port === port
}

function holds({ range: [base, bits] }: RangeRule, address: Address): boolean {
  return [address, reachedBy(address)].some((one) => one.kind() === base.kind() && one.match(base, bits))
}

function parseRule(entry: string): Rule {
  const rule = entry.includes('/') ? rangeRule(entry) : hostRule(entry)
  if (rule) return rule
  throw new TypeError(
    `"${entry}" is neither a host (engine.internal, 10.1.2.3), nor a host with a port (engine.internal:8080), nor a range (10.0.0.0/8).`,
  )
}

function rangeRule(entry: string): RangeRule | null {
  const [base = '', bits = '', ...more] = entry.split('/')
  const address = parseAddress(base)
  if (!address || more.length > 0 || !/^\d{1,3}$/.test(bits)) return null
  return Number(bits) <= bitsOf(address) ? { range: [address, Number(bits)], port: null } : null
}

const hostAndPort = /^(?<host>\[[^\]]+\]|[^:[\]*]+)(?::(?<port>\d{1,5}))?$/

function hostRule(entry: string): Rule | null {
  const { host, port } = hostAndPort.exec(isIPv6(entry) ? `[${entry}]` : entry)?.groups ?? {}
  const name = host === undefined ? null : hostOf(host)
  if (name === null || !isPort(port)) return null
  const rulePort = port === undefined ? null : Number(port)
  const address = parseAddress(name)
  if (!address) return { name: withoutDot(name), port: rulePort }
  const reached = reachedBy(address)
  return { range: [reached, bitsOf(reached)], port: rulePort }
}

function bitsOf(address: Address): number {
  return address.kind() === 'ipv4' ? 32 : 128
}

function isPort(port: string | undefined): boolean {
  return port === undefined || (Number(port) > 0 && Number(port) <= 65_535)
}

/**
 * A host as a parsed URL writes it, so that the two can be compared. Null when the text is more
 * than a host, or not one.
 */
function hostOf(text: string): string | null {
  const address = `http://${text}/`
  if (!URL.canParse(address)) return null
  const { hostname, href } = new URL(address)
  return href === `http://${hostname}/` ? hostname.replaceAll(/[[\]]/g, '') : null
}

function withoutDot(name: string): string {
  return name.replace(/\.$/, '')
}
