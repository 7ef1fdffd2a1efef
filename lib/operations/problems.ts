import type * as z from 'zod'
import type { Problem } from '../../engines/errors'
import { findNearestName } from '../../engines/options/nearest-name'
import { describeSentInstead, MAX_NAMES } from '../refusal'
import { isSecret, isStrict, listKeys } from './schema-keys'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** Maximum number of problems in a response, unless an operation allows more. */
export const MAX_PROBLEMS = 20
const MAX_TEXT_LENGTH = 60

const KINDS: Record<string, string> = {
  array: 'an array',
  bigint: 'a whole number',
  boolean: 'true or false',
  int: 'a whole number',
  map: 'an object',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
  tuple: 'an array',
}

/** What problems need to know about the input. */
export interface Origin {
  schema: z.core.$ZodType
  /** The input as sent. */
  input: unknown
  /** Name of the input, with which every `param` starts. */
  name: string
  /** Known top-level names that aren't in the schema. */
  names?: readonly string[]
  /** Maximum number of problems. Default: 20. */
  most?: number
}

/**
 * Turns zod's issues into sentences that contain the value, the allowed values, and the most similar name. Only
 * describes as many issues as a response shows, because a description takes time.
 */
export function describeIssues(issues: readonly Issue[], origin: Origin): Problem[] {
  const most = origin.most ?? MAX_PROBLEMS
  const problems: Problem[] = []
  for (const problem of describeAll(issues, [], origin)) {
    if (problems.length === most)
      return [...problems, { ...(origin.name && { param: origin.name }), message: 'and more errors' }]
    problems.push(problem)
  }
  return problems
}

/** Describes each issue when it is asked for. */
function* describeAll(issues: readonly Issue[], path: Path, origin: Origin): Generator<Problem> {
  for (const issue of issues) yield* describe(issue, [...path, ...issue.path], origin)
}

/**
 * Returns a path such as `options.areas[0].x`, or `items[0].rate` if the input has no name. A key that isn't a plain
 * word is quoted.
 */
function writePath(name: string, path: Path): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    const word = String(key)
    if (!/^[A-Za-z_$][\w$]*$/.test(word)) return `${text}[${JSON.stringify(clip(word))}]`
    return text === '' ? word : `${text}.${word}`
  }, name)
}

function describe(issue: Issue, path: Path, origin: Origin): Iterable<Problem> {
  const value = readAt(origin.input, path)
  const rule = issue.code === 'custom' ? readRule(issue.params) : undefined
  const problem = (message: string) => [
    {
      param: writePath(origin.name, path),
      message: isSecret(origin.schema, path) ? withoutValue(message) : message,
      ...(rule && { rule }),
    },
  ]
  if (!isStandardMessage(issue.message)) return problem(issue.message)
  switch (issue.code) {
    case 'unrecognized_keys':
      return describeUnknownKeys(issue.keys, path, origin)
    case 'invalid_union':
      return describeUnion(issue, path, origin)
    case 'invalid_type':
      return problem(describeWrongType([issue.expected], value) + describeInstead(value, path, origin))
    case 'invalid_value':
      return problem(describeChoice(value, issue.values) + describeInstead(value, path, origin))
    case 'too_small':
      return problem(describeBound(value, `at least ${issue.minimum}`, issue))
    case 'too_big':
      return problem(describeBound(value, `at most ${issue.maximum}`, issue))
    case 'not_multiple_of':
      return problem(`must be a multiple of ${issue.divisor}. Got ${describeValue(value)}.`)
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues.flatMap(inner => problem(`${describeValue(value)}: ${inner.message}`))
    default:
      return problem(`has an invalid format. Got ${describeValue(value)}.`)
  }
}

/** Names what the client sent in place of something that is missing. Empty if nothing is missing. */
function describeInstead(value: unknown, path: Path, { schema, input, names = [] }: Origin): string {
  const key = path.at(-1)
  const above = path.slice(0, -1)
  const siblings = readAt(input, above)
  if (value !== undefined || typeof siblings !== 'object' || siblings === null || isStrict(schema, above)) return ''
  const known = [...listKeys(schema, above), ...(above.length === 0 ? names : [])]
  const unknown = findUnknown(siblings, new Set(known))
  return describeSentInstead(unknown, typeof key === 'string' ? key : undefined)
}

/** Finds as many unknown names as a message shows. */
function findUnknown(object: object, known: ReadonlySet<string>): string[] {
  const unknown: string[] = []
  for (const name of Object.keys(object)) {
    if (!known.has(name)) unknown.push(name)
    if (unknown.length > MAX_NAMES) break
  }
  return unknown
}

/** The ID of a rule that a refinement of a schema reports. */
function readRule(params: Record<string, unknown> | undefined): string | undefined {
  return typeof params?.rule === 'string' ? params.rule : undefined
}

function* describeUnknownKeys(keys: readonly string[], path: Path, origin: Origin): Generator<Problem> {
  for (const key of keys) yield describeUnknownKey(key, path, origin)
}

function describeUnknownKey(key: string, path: Path, { schema, name }: Origin): Problem {
  const allowedKeys = listKeys(schema, path)
  const nearest = findNearestName(key, allowedKeys)
  const kind = path.length === 0 ? 'option' : 'field'
  const knownKeys =
    allowedKeys.length === 0
      ? `No ${kind}s are allowed here.`
      : `Known ${kind}s are ${listWords(allowedKeys.slice(0, 40), 'and')}.`
  return {
    param: writePath(name, [...path, key]),
    message: `unknown ${kind}. ${nearest ? `Did you mean "${nearest}"?` : knownKeys}`,
  }
}

/** Picks the branch whose type matches the value. If no branch matches, the problem lists all types. */
function describeUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  path: Path,
  origin: Origin,
): Iterable<Problem> {
  const value = readAt(origin.input, path)
  // Set if a discriminator has none of its values. zod's type omits this member.
  const { options } = issue as { options?: unknown }
  if (Array.isArray(options)) return [{ param: writePath(origin.name, path), message: describeChoice(value, options) }]
  const isOfOtherKind = (inner: Issue) =>
    inner.path.length === 0 && (inner.code === 'invalid_type' || inner.code === 'invalid_value')
  const [matchingBranch] = issue.errors
    .filter(branch => !branch.some(isOfOtherKind))
    .sort((a, b) => a.length - b.length)
  if (matchingBranch) return describeAll(matchingBranch, path, origin)
  const roots = issue.errors.flat().filter(inner => inner.path.length === 0)
  const choices = roots.flatMap(inner => (inner.code === 'invalid_value' ? inner.values : []))
  const kinds = roots.flatMap(inner => (inner.code === 'invalid_type' ? [inner.expected] : []))
  const message =
    choices.length > 0 && (typeof value === 'string' || kinds.length === 0)
      ? describeChoice(value, choices)
      : describeWrongType(kinds, value)
  return [{ param: writePath(origin.name, path), message }]
}

function describeWrongType(expected: string[], value: unknown): string {
  const expectedTypes = listWords([...new Set(expected.map(kind => KINDS[kind] ?? kind))], 'or')
  if (value === undefined) return `is required and must be ${expectedTypes}.`
  if (typeof value === 'number' && !Number.isFinite(value))
    return `must be ${expectedTypes}. Got a number that is too large.`
  return `must be ${expectedTypes}. Got ${describeValue(value)}.`
}

function describeChoice(value: unknown, allowed: unknown[]): string {
  const choice = listWords(allowed.map(String), 'or')
  if (value === undefined) return `is required and must be ${choice}.`
  const isNumberInQuotes =
    typeof value === 'string' && allowed.some(one => typeof one === 'number' && String(one) === value)
  if (isNumberInQuotes) return `must be the number ${value}, without quotes. Got ${describeValue(value)}.`
  const words = allowed.filter(one => typeof one === 'string')
  const nearest = typeof value === 'string' ? findNearestName(value, words) : undefined
  return `must be ${choice}. Got ${describeValue(value)}.${nearest ? ` Did you mean "${nearest}"?` : ''}`
}

/** Says that a value isn't within a bound such as `at least 1`, with the unit of its type: `at least 1 character`. */
function describeBound(
  value: unknown,
  bound: string,
  { origin, inclusive }: { origin: string; inclusive?: boolean | undefined },
): string {
  const limit = inclusive === false ? bound.replace('at least', 'more than').replace('at most', 'less than') : bound
  const isOne = limit.endsWith(' 1')
  if (typeof value === 'string') return `must have ${limit} character${isOne ? '' : 's'}. Got ${value.length}.`
  const entries = isOne ? 'entry' : 'entries'
  if (Array.isArray(value)) return `must have ${limit} ${entries}. Got ${value.length}.`
  if (origin === 'object' || origin === 'record') return `must have ${limit} ${entries}.`
  return `must be ${limit}. Got ${describeValue(value)}.`
}

/** Returns whether a message is zod's own. A message from a schema is kept. */
function isStandardMessage(message: string): boolean {
  return /^(Invalid|Too (small|big)|Unrecognized)/.test(message)
}

function readAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    const isHolder = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    return isHolder ? (value as Record<PropertyKey, unknown>)[key] : undefined // The key is an own key of an object.
  }, input)
}

/** Removes the value that was sent. */
function withoutValue(message: string): string {
  const start = message.indexOf(' Got ')
  return start < 0 ? message : message.slice(0, start)
}

function describeValue(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return JSON.stringify(clip(value))
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeof value
}

function listWords(words: string[], conjunction: 'or' | 'and'): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${conjunction} ${last}`
}

function clip(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text
}
