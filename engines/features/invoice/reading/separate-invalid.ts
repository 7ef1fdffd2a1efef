import type * as z from 'zod'
import type { InvoiceRequest } from '../electronic/from-electronic'
import { invoiceFields } from '../data/invoice'

/** A value of a file that no request may have, such as the date `2026-13-99`. */
export interface InvalidValue {
  /** The field, such as `issueDate`. */
  param: string
  /** The value in the file. */
  value: string
  /** What the field requires. */
  message: string
}

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

const MAX_LISTED = 100

/**
 * Removes the values from the body of a request that its schema refuses, and returns at most 100 of them. Only reports
 * a list with too many entries. What is missing is left to the rules of the formats.
 */
export function separateInvalid(invoice: Partial<InvoiceRequest>): InvalidValue[] {
  const invalid: InvalidValue[] = []
  for (const { issue, path } of listIssues(invoiceFields.safeParse(invoice).error?.issues ?? [], [])) {
    const value = takeAt(invoice, path)
    if (value === undefined || invalid.length >= MAX_LISTED) continue
    invalid.push({ param: writePath(path), value, message: describeRule(issue) })
  }
  return invalid
}

/** The branch of a union that fits best has the deepest issues. */
function* listIssues(issues: readonly Issue[], above: Path): Generator<{ issue: Issue; path: Path }> {
  for (const issue of issues) {
    const path = [...above, ...issue.path]
    const [nearest] = issue.code === 'invalid_union' ? issue.errors.toSorted((a, b) => depth(b) - depth(a)) : []
    if (nearest) yield* listIssues(nearest, path)
    else yield { issue, path }
  }
}

function depth(issues: readonly Issue[]): number {
  return Math.max(0, ...issues.slice(0, MAX_LISTED).map(({ path }) => path.length))
}

/** Removes a text or number from an object, and returns it. Counts the entries of an array, which stays. */
function takeAt(object: object, path: Path): string | undefined {
  const key = path.at(-1)
  const owner = path.slice(0, -1).reduce<unknown>((one, name) => readMember(one, name), object)
  if (key === undefined || typeof owner !== 'object' || owner === null) return undefined
  const value = readMember(owner, key)
  if (Array.isArray(value)) return value.length > 0 ? `${value.length} entries` : undefined
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  Reflect.deleteProperty(owner, key)
  return String(value)
}

function readMember(owner: unknown, key: PropertyKey): unknown {
  return typeof owner === 'object' && owner !== null ? (Reflect.get(owner, key) as unknown) : undefined
}

function writePath(path: Path): string {
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`)).join('')
}

/** Says which rule a value breaks. The text continues a sentence that begins with the name of the field. */
function describeRule(issue: Issue): string {
  switch (issue.code) {
    case 'custom':
      return issue.message
    case 'invalid_type':
      return `must be a ${issue.expected}.`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}.`
    case 'too_big':
      return `must have at most ${issue.maximum.toLocaleString('en')} ${issue.origin === 'array' ? 'entries' : 'characters'}.`
    case 'too_small':
      return 'must not be empty.'
    default:
      return 'is not allowed in a request.'
  }
}
